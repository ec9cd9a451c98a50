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
/* What a caller must see to: so many bytes from both pointers on are different ones. */
void __sorrel_separate(const void *one, const void *other, size_t count);
/* Whether the first pointer is further on in the same object. */
int __sorrel_behind(const void *one, const void *other);
