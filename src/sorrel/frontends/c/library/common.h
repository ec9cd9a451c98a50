typedef __SIZE_TYPE__ size_t;
void *malloc(size_t);

/* A number above 0: the library says no more about it. */
int __sorrel_positive(void);
/* A number other than 0. */
int __sorrel_nonzero(void);
/* What the environment chooses. */
long long __sorrel_input(void);
/* What the library leaves undefined. */
long long __sorrel_any(void);
/* Any number: what the library says of it is assumed. */
double __sorrel_any_number(void);
void __VERIFIER_assume(int condition);
/* What a caller must see to; an access outside of an object otherwise. */
void __sorrel_require(int condition);
/* What a caller must see to: so many bytes from one pointer on are others than so many from the other one on. */
void __sorrel_separate(const void *one, size_t ones, const void *other, size_t others);
/* Whether the first pointer is further on in the same object. */
int __sorrel_behind(const void *one, const void *other);
