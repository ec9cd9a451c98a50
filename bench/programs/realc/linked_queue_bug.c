/* A queue of jobs: a linked list with its head and tail, jobs are allocated when they come and freed when they are done. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int number;
    int weight;
    struct job *next;
};

struct queue {
    struct job *head;
    struct job *tail;
    int length;
    int accepted;
    int done;
};

static void queue_init(struct queue *queue) {
    queue->head = NULL;
    queue->tail = NULL;
    queue->length = 0;
    queue->accepted = 0;
    queue->done = 0;
}

static int queue_push(struct queue *queue, int weight) {
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        return -1;
    job->number = queue->accepted;
    job->weight = weight;
    job->next = NULL;
    if (queue->head == NULL)
        queue->head = job;
    else
        queue->tail->next = job;
    queue->tail = job;
    queue->accepted++;
    queue->length++;
    return 0;
}

/* The oldest job, which is the caller's from now on. */
static struct job *queue_pop(struct queue *queue) {
    struct job *job = queue->head;
    if (job == NULL)
        return NULL;
    queue->head = job->next;
    if (queue->head == NULL)
        queue->tail = NULL;
    queue->length--;
    job->next = NULL;
    return job;
}

static int queue_is_empty(const struct queue *queue) {
    return queue->head == NULL;
}

static int queue_work(struct queue *queue) {
    struct job *job = queue_pop(queue);
    if (job == NULL)
        return 0;
    free(job);
    int weight = job->weight;
    queue->done++;
    return weight;
}

static void queue_clear(struct queue *queue) {
    struct job *job = queue->head;
    while (job != NULL) {
        struct job *next = job->next;
        free(job);
        job = next;
    }
    queue->head = NULL;
    queue->tail = NULL;
    queue->length = 0;
}

int main(void) {
    struct queue queue;
    int load = 0;
    queue_init(&queue);
    for (int i = 0; i < 10000 && __VERIFIER_nondet_int(); i++) {
        if (__VERIFIER_nondet_int()) {
            int weight = __VERIFIER_nondet_int();
            if (weight >= 0 && weight < 100)
                queue_push(&queue, weight);
        } else {
            load = queue_work(&queue);
            assert(load >= 0 && load < 100);
        }
        assert(queue.length == queue.accepted - queue.done);
    }
    queue_clear(&queue);
    assert(queue.length == 0 && queue_is_empty(&queue));
    return 0;
}
