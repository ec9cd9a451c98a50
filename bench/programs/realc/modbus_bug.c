/* A Modbus slave: requests to read and write registers are checked, answered, and protected by a CRC. */
#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define ADDRESS 17
#define REGISTERS 20
#define FRAME 48

enum function { READ_REGISTERS = 3, WRITE_REGISTER = 6, WRITE_REGISTERS = 16 };
enum exception { ILLEGAL_FUNCTION = 1, ILLEGAL_ADDRESS = 2, ILLEGAL_VALUE = 3 };

static uint16_t registers[REGISTERS];

static uint16_t crc16(const uint8_t *data, int size) {
    uint16_t crc = 0xffff;
    for (int i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1);
    }
    return crc;
}

static uint16_t get16(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}

static void put16(uint8_t *p, uint16_t value) {
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

static int is_range(unsigned first, unsigned count) {
    return count >= 1 && first < REGISTERS && count <= REGISTERS;
}

static int refuse(uint8_t *reply, uint8_t function, enum exception why) {
    reply[1] = function | 0x80;
    reply[2] = (uint8_t)why;
    return 3;
}

static int read_registers(const uint8_t *request, int size, uint8_t *reply) {
    if (size != 6)
        return refuse(reply, READ_REGISTERS, ILLEGAL_VALUE);
    unsigned first = get16(request + 2), count = get16(request + 4);
    if (!is_range(first, count))
        return refuse(reply, READ_REGISTERS, ILLEGAL_ADDRESS);
    reply[2] = (uint8_t)(2 * count);
    for (unsigned i = 0; i < count; i++)
        put16(reply + 3 + 2 * i, registers[first + i]);
    return 3 + 2 * (int)count;
}

static int write_register(const uint8_t *request, int size, uint8_t *reply) {
    if (size != 6)
        return refuse(reply, WRITE_REGISTER, ILLEGAL_VALUE);
    unsigned target = get16(request + 2);
    if (!is_range(target, 1))
        return refuse(reply, WRITE_REGISTER, ILLEGAL_ADDRESS);
    registers[target] = get16(request + 4);
    for (int i = 2; i < 6; i++)
        reply[i] = request[i];
    return 6;
}

static int write_registers(const uint8_t *request, int size, uint8_t *reply) {
    if (size < 7)
        return refuse(reply, WRITE_REGISTERS, ILLEGAL_VALUE);
    unsigned first = get16(request + 2), count = get16(request + 4);
    if (!is_range(first, count))
        return refuse(reply, WRITE_REGISTERS, ILLEGAL_ADDRESS);
    if (request[6] != 2 * count || size != 7 + (int)request[6])
        return refuse(reply, WRITE_REGISTERS, ILLEGAL_VALUE);
    for (unsigned i = 0; i < count; i++)
        registers[first + i] = get16(request + 7 + 2 * i);
    for (int i = 2; i < 6; i++)
        reply[i] = request[i];
    return 6;
}

/* The size of the reply, 0 if there is none. */
static int answer(const uint8_t *request, int size, uint8_t *reply) {
    if (size < 4 || request[0] != ADDRESS)
        return 0;
    uint16_t sum = (uint16_t)(request[size - 2] | request[size - 1] << 8);
    if (crc16(request, size - 2) != sum)
        return 0;
    int n;
    reply[0] = ADDRESS;
    reply[1] = request[1];
    switch (request[1]) {
    case READ_REGISTERS: n = read_registers(request, size - 2, reply); break;
    case WRITE_REGISTER: n = write_register(request, size - 2, reply); break;
    case WRITE_REGISTERS: n = write_registers(request, size - 2, reply); break;
    default: n = refuse(reply, request[1], ILLEGAL_FUNCTION);
    }
    uint16_t crc = crc16(reply, n);
    reply[n++] = (uint8_t)crc;
    reply[n++] = (uint8_t)(crc >> 8);
    return n;
}

int main(void) {
    uint8_t request[FRAME], reply[FRAME];
    while (__VERIFIER_nondet_int()) {
        int size = __VERIFIER_nondet_int();
        if (size < 2 || size > FRAME - 2)
            continue;
        request[0] = ADDRESS;
        for (int i = 1; i < size; i++)
            request[i] = __VERIFIER_nondet_uchar();
        uint16_t crc = crc16(request, size);
        request[size] = (uint8_t)crc;
        request[size + 1] = (uint8_t)(crc >> 8);
        int n = answer(request, size + 2, reply);
        assert(n >= 5 && n <= FRAME);
        assert(reply[0] == ADDRESS && (reply[1] & 0x7f) == (request[1] & 0x7f));
    }
    return 0;
}
