"""Small C programs as people write them: strings, lists, tables of functions, macros, declarations of all kinds.

Each prints what it computes; the compiled program says what that should be.
"""

from __future__ import annotations

PROGRAMS = {
    "str literals": r"""
int main(void) {
const char*a="abc"; printf("%c%c %d %zu\n", "hello"[1], *"xyz", a[3], sizeof "abc"); char b[]="q"; b[0]++;
printf("%s\n",b); printf("%d\n", (int)strlen("a\0b")); const char*t[]={ "x","yy","zzz"}; int s=0; for(int i=0;
i<3; i++) s+=strlen(t[i]); printf("%d\n",s); printf("%d\n", "\xff"[0]);
return 0; }""",
    "str copy": r"""
int main(void) {
char b[10]; strcpy(b,"abc"); strcat(b,"de"); printf("%s %zu\n",b,strlen(b)); strncpy(b,"xy",5);
printf("%s %d\n",b,b[4]); memset(b,'z',3); b[3]=0; puts(b); memcpy(b+1,"QQ",2); puts(b); memmove(b+1,b,3);
b[4]=0; puts(b); printf("%d\n", strcmp("abc","abd")<0); printf("%d %d\n", strncmp("abc","abd",2),
memcmp("a","b",1)<0);
return 0; }""",
    "str find": r"""
int main(void) {
const char*s="hello world"; printf("%d %d %d\n", (int)(strchr(s,'o')-s), (int)(strrchr(s,'o')-s),
strchr(s,'z')==NULL); printf("%d\n", (int)(strstr(s,"wor")-s)); printf("%c\n", *strchr(s,0)==0?'y':'n');
return 0; }""",
    "ctype fns": r"""
int main(void) {
printf("%d %d %d %c %c\n", isdigit('5')!=0, isalpha('_')!=0, isspace('\t')!=0, toupper('q'), tolower('A'));
printf("%c\n", toupper('3')); int n=0; for(int c=0; c<128; c++) n+=!!isalnum(c); printf("%d\n",n);
return 0; }""",
    "lib abs atoi": r"""
int main(void) {
printf("%d %ld %d %d\n", abs(-5), labs(-7L), atoi("42x"), atoi("-9")); char b[12]; sprintf(b,"%03d",7); puts(b);
int n=snprintf(b,4,"%d",123456); printf("%d %s\n",n,b); printf("%d\n", (int)strtol("1f",0,16));
return 0; }""",
    "lib malloc list": r"""
int main(void) {
struct N{ int v; struct N*n; }*h=0; for(int i=0; i<4; i++){ struct N*t=malloc(sizeof*t); t->v=i; t->n=h; h=t; }
int s=0; while(h){ s=s*10+h->v; struct N*t=h->n; free(h); h=t; } printf("%d\n",s);
return 0; }""",
    "lib calloc realloc": r"""
int main(void) {
int*a=calloc(3,sizeof*a); printf("%d\n",a[2]); a[0]=5; a=realloc(a,6*sizeof*a); a[5]=7;
printf("%d %d\n",a[0],a[5]); free(a); char*s=malloc(4); strcpy(s,"abc"); printf("%s\n",s); free(s); free(NULL);
return 0; }""",
    "lib putchar": r"""
int main(void) {
for(char c='a'; c<'e'; c++) putchar(c); putchar(10); fputs("x\n",stdout); fprintf(stdout,"%5.2s|\n","abc");
printf("%%|%c|%-4d|%04x\n",65,3,255); fputc(65,stdout); putc(10,stdout);
return 0; }""",
    "enum sizes": r"""
int main(void) {
enum A{ X=-1,Y}; enum B{ Z=4000000000u}; enum C{ W=1LL<<40}; printf("%zu %zu %zu\n", sizeof(enum A), sizeof(enum
B), sizeof(enum C)); enum A a=X; printf("%d\n", a<0); enum D{ P,Q}d=P; printf("%d\n", d-1<0); printf("%zu\n",
sizeof P); enum B b=Z; printf("%d\n", b>0);
return 0; }""",
    "enum arith": r"""
int main(void) {
enum{ A=1<<3,B=A|1,C=-B,D}; int a[D<0?2:3]; printf("%d %d %d %zu\n",A,B,D,sizeof a/sizeof*a); enum E{ P=5}e=P;
e++; e|=8; printf("%d\n",e); switch(e){ case P: puts("p"); break; default: puts("d"); }
return 0; }""",
    "const expr": r"""
int main(void) {
static int a[sizeof(int)==4?3:5]; enum{ N=sizeof a/sizeof*a}; printf("%d %d\n",N,(int)(1?2:1/1)); static const
int k=3; int b[3]={ k}; printf("%d\n",b[0]); _Static_assert(sizeof(char)==1,"x"); printf("%d\n", (int)'a'+
(3>2)); case_: ;
return 0; }""",
    "typedef names": r"""
int f(int x){ return x+1; }
int main(void) {
typedef int T; T T2=3; { int T=4; printf("%d\n",T); } typedef struct S S; struct S{ int a; S*n; }; S s={ 1,&s};
printf("%d\n",s.n->n->a); typedef int F(int); F f; printf("%d\n", f(2)); typedef int A3[3]; A3 v={ 1,2,3};
A3*pv=&v; printf("%d\n",(*pv)[2]); typedef int (*FP)(int); FP fp=f; printf("%d\n",fp(5));
return 0; }""",
    "decl complex": r"""
static int inc(int x){ return x+1; } static int dec(int x){ return x-1; } static const char*name(int k){ return
k?"one":"zero"; }
int main(void) {
int (*t[2])(int)={ inc,dec}; int (*(*pt)[2])(int)=&t; printf("%d %d\n",(*pt)[1](5),(*(*pt)[0])(5)); int
*a[2],(*b)[2]; int v[2]={ 1,2}; b=&v; a[0]=v; a[1]=*b+1; printf("%d %d\n",*a[1],(*b)[0]); const char
*(*g)(int)=name; puts(g(1)); int *const cp=v; *cp=7; printf("%d\n",v[0]);
return 0; }""",
    "sizeof things": r"""
int main(void) {
char c; short s; printf("%zu %zu %zu %zu\n", sizeof c, sizeof(c+c), sizeof s, sizeof +s); int a[3][5];
printf("%zu %zu %zu\n", sizeof a, sizeof a[0], sizeof(a+0)); struct{ char x; long y; char z; } t;
printf("%zu %zu\n", sizeof t, sizeof t.y); printf("%zu %zu %zu\n", sizeof(struct{ char a[3]; short b; }),
sizeof(union{ char a[5]; int b; }), _Alignof(double)); printf("%zu\n", sizeof "ab" "cd"); int i=0;
(void)sizeof(i++); printf("%d\n",i); printf("%zu\n", sizeof(int(*)[3]));
return 0; }""",
    "alignas": r"""
int main(void) {
struct{ char a; _Alignas(16) char b; } s; printf("%zu %zu\n", sizeof s, (size_t)((char*)&s.b-(char*)&s.a));
return 0; }""",
    "packed": r"""
int main(void) {
struct __attribute__((packed)) { char a; int b; } s={ 1,2}; printf("%zu %d\n", sizeof s, s.b);
return 0; }""",
    "struct assign chain": r"""
int main(void) {
struct S{ int a,b[2]; } x={ 1,{ 2,3}},y,z; y=z=x; z.b[0]=9; printf("%d %d %d\n",y.b[0],z.b[0],y.a); struct S
*q=&y; *q=z; (*q).a=4; printf("%d %d\n",y.b[0],z.a); x=*(&z); printf("%d\n",x.b[0]);
return 0; }""",
    "struct nested arr": r"""
int main(void) {
struct I{ int v[2]; }; struct O{ struct I i[2]; int n; } o={ { { { 1,2}},{ { 3,4}}},5}; struct I t=o.i[0];
o.i[0]=o.i[1]; o.i[1]=t; printf("%d %d %d\n",o.i[0].v[1],o.i[1].v[0],o.n); struct O p=o; p.i[1].v[1]=7;
printf("%d %d\n",o.i[1].v[1],p.i[1].v[1]);
return 0; }""",
    "tree walk": r"""
struct T{ struct T*l,*r; int k; }; static struct T pool[8]; static int np; static struct T*ins(struct T*t,int
k){ if(!t){ t=&pool[np++]; t->k=k; t->l=t->r=0; return t; } if(k<t->k) t->l=ins(t->l,k); else t->r=ins(t->r,k);
return t; } static int sum(struct T*t){ return t?t->k+sum(t->l)+sum(t->r):0; } static int dep(struct T*t){
if(!t)return 0; int a=dep(t->l),b=dep(t->r); return 1+(a>b?a:b); }
int main(void) {
struct T*r=0; int v[]={ 4,2,6,1,3}; for(int i=0; i<5; i++) r=ins(r,v[i]); printf("%d %d\n", sum(r), dep(r));
return 0; }""",
    "fnptr struct": r"""
static int add(int a,int b){ return a+b; } static int sub(int a,int b){ return a-b; }
int main(void) {
struct Op{ char c; int(*f)(int,int); } t[]={ { '+',add},{ '-',sub}}; for(int i=0; i<2; i++)
printf("%c%d\n",t[i].c,t[i].f(5,3)); struct Op*q=&t[1]; printf("%d\n",q->f(1,2)); struct Op o=t[0]; o.f=sub;
printf("%d %d\n",(*o.f)(9,1),t[0].f(1,1));
return 0; }""",
    "fnptr param null": r"""
static int neg(int x){ return -x; } static int call(int(*f)(int),int x){ return f?f(x):x; }
int main(void) {
printf("%d %d\n", call(0,3), call(neg,3));
return 0; }""",
    "fnptr rec": r"""
static int dbl(int x){ return 2*x; } static int inc(int x){ return x+1; } static int rep(int(*f)(int),int n,int
x){ return n?rep(f,n-1,f(x)):x; }
int main(void) {
printf("%d\n", rep(dbl,3,1)); int (*c)(int)=dbl; for(int i=0; i<2; i++) c=(c==dbl)?inc:dbl; printf("%d\n",c(7));
return 0; }""",
    "generic macros": r"""
#define MAX(a,b) ((a)>(b)?(a):(b))
#define SQ(x) ((x)*(x))
#define STR(x) #x
#define CAT(a,b) a##b
#define NARGS(...) (sizeof((int[]){__VA_ARGS__})/sizeof(int)>0?(int)(sizeof((int[]){__VA_ARGS__})/sizeof(int)):0)
#define LOG(f,...) printf(f,__VA_ARGS__)
int main(void) {
printf("%d %d\n", MAX(3,MAX(2,5)), SQ(1+2)); printf("%s\n", STR(a+b)); int CAT(x,1)=4; printf("%d\n",x1);
printf("%d\n", __LINE__>0); printf("%d\n", NARGS(1,2,3)); LOG("v%d\n",3);
return 0; }""",
    "typeof ": r"""
int main(void) {
int a=3; __typeof__(a) b=a+1; typeof(a*1L) c=5; printf("%d %zu\n",b,sizeof c); __typeof__(int[3]) v={ 1,2,3};
printf("%d\n",v[2]); __auto_type z=7LL; printf("%zu\n", sizeof z);
return 0; }""",
    "elvis": r"""
int main(void) {
int n=0; int a=n++?:7; printf("%d %d\n",a,n); a=n++?:9; printf("%d %d\n",a,n); const char*s=0; puts(s?:"nil");
return 0; }""",
    "label values switch": r"""
int main(void) {
int s=0; for(int i=0; i<4; i++) switch(i){ case 0: s+=1; break; case 1: case 2: s+=10; if(i==1) break; s+=100; }
printf("%d\n",s); switch(s){ case 121:; }
return 0; }""",
    "local extern": r"""
int gg=4; int h(void){ return gg*2; }
int main(void) {
extern int gg; { extern int gg; gg++; } printf("%d\n",gg); int h(void); printf("%d\n",h());
return 0; }""",
    "static func shadow": r"""
int f(void){ return 8; }
int main(void) {
int f=3; { int f(void); printf("%d\n",f()); } printf("%d\n",f);
return 0; }""",
    "nested fn calls order": r"""
static int step(int*p){ *p+=5; return *p*2; }
int main(void) {
int t=0; t=step(&t)+0; printf("%d\n",t); int a[3]={ 0}; int i=0; i=a[i]=2; printf("%d %d\n",i,a[0]); int x=1;
x+=x+=2; printf("%d\n",x>0);
return 0; }""",
    "cond side": r"""
int main(void) {
int i=0; while(i++<5); printf("%d\n",i); int n=5,s=0; while(n-->0) s+=n; printf("%d %d\n",n,s); for(int j=10;
j--; ) s++; printf("%d\n",s); do s--; while(s>15&&s%2); printf("%d\n",s); if((i=s)!=0) printf("%d\n",i); int k;
if((k=i-14)) ; printf("%d\n",k);
return 0; }""",
    "ptr 2d walk": r"""
static void transpose(int m[3][3]){ for(int i=0; i<3; i++)for(int j=i+1; j<3; j++){ int t=m[i][j];
m[i][j]=m[j][i]; m[j][i]=t; }}
int main(void) {
int m[3][3],*q=&m[0][0]; for(int i=0; i<3; i++)for(int j=0; j<3; j++)m[i][j]=i*3+j; int s=0; for(int i=0; i<3;
i++) s+=m[i][i]*m[2-i][i]; printf("%d\n",s); for(int*r=m[1]; r<m[1]+3; r++) *r=-*r;
printf("%d %d\n",m[1][2],*q); transpose(m); printf("%d\n",m[0][2]);
return 0; }""",
    "ptr array of ptr": r"""
int main(void) {
int a=1,b=2,c=3,*v[]={ &a,&b,&c}; for(int i=0; i<3; i++) *v[i]*=10; printf("%d\n",a+b+c); int **q=v+1;
q[1]=q[0]; *q[1]+=1; printf("%d %d\n",b,c); char*n[]={ "a","b",0}; int k=0; for(char**r=n; *r; r++) k++;
printf("%d\n",k); const char*t[2][2]={ { "p","q"},{ "r","s"}}; puts(t[1][0]);
return 0; }""",
    "ptr void": r"""
static void ctx(void*p){ int*q=p; ++*q; }
int main(void) {
int x=3; void*v=&x; *(int*)v=4; printf("%d\n",*(int*)v); void**w=&v; printf("%d\n", **(int**)w); const void*c=v;
printf("%d\n", c==v); ctx(&x); printf("%d\n",x);
return 0; }""",
    "ptr cb": r"""
struct S{ int n,t; }; static void addto(int i,void*u){ struct S*s=u; s->n++; s->t+=i; } static void each(int
n,void(*f)(int,void*),void*u){ for(int i=0; i<n; i++) f(i,u); }
int main(void) {
struct S s={ 0,0}; each(3,addto,&s); printf("%d %d\n",s.n,s.t);
return 0; }""",
    "ptr restrict": r"""
static void cp(int*restrict d,const int*restrict s,int n){ while(n--)*d++=*s++; }
int main(void) {
int a[2]={ 1,2},b[2]; cp(b,a,2); printf("%d\n",b[1]);
return 0; }""",
    "ptr neg step": r"""
int main(void) {
char s[]="abcd"; for(char*l=s,*r=s+3; l<r; ){ char t=*l; *l++=*r; *r--=t; } puts(s); char*e=s+4; int n=0;
while(--e>=s&&n<9) n++; printf("%d\n",n>=3);
return 0; }""",
    "shadow param": r"""
static int f(int x){ { int x=5; x++; } for(int x=0; x<2; x++); return x; }
int main(void) {
printf("%d\n", f(3));
return 0; }""",
    "global init order": r"""
extern int b; int*pb=&b; int b=6; int c[2]={ 7,8}; int*pc=c; int*q[2]={ &b,c+1};
int main(void) {
printf("%d %d %d\n", *pb, pc[1], *q[1]);
return 0; }""",
    "global struct ptrs": r"""
struct L{ int v; const char*name; struct L*next; }; extern struct L second; struct L root={ 1,"r",&second};
struct L second={ 2,"s",&root};
int main(void) {
printf("%d %s %d\n", root.next->v, root.name, root.next->next==&root);
return 0; }""",
    "big switch": r"""
int main(void) {
int s=0; for(int i=-1; i<12; i++) switch(i&7){ case 0: s+=1; case 1: s^=3; break; case 2: s*=2; break; case 5:
s-=i; default: s++; case 7: continue; } printf("%d\n",s);
return 0; }""",
    "comma decl ptrs": r"""
int main(void) {
int a=1,*p1=&a,**p2=&p1,arr[2]={ 1,2},(*pa)[2]=&arr; printf("%d %d\n",**p2,(*pa)[1]);
return 0; }""",
    "unary mix": r"""
int main(void) {
int a=5; printf("%d %d %d %d\n", - -a, ~-a, !~a, -!a); unsigned u=5; printf("%u %d\n", -u, -u>0); char c=-128;
printf("%d %d\n", -c, +c); printf("%d\n", - 5 % 3);
return 0; }""",
    "precedence": r"""
int main(void) {
printf("%d %d %d %d\n", 1|2&3, 1<<2+1, 5&6==6, !1+1); printf("%d %d\n", 2+3*4%5, 8>>1<<1); printf("%d\n",
1?2:0?3:4); int a=1; a+=a<<2|1; printf("%d\n",a); printf("%d\n", 3<2<1); printf("%d\n", -1<0==1); int x=7;
printf("%d\n", x&1?x^2:x|4);
return 0; }""",
    "int128": r"""
int main(void) {
__int128 a=1; a<<=100; printf("%d\n",(int)(a>>98)); unsigned __int128 b=-1; printf("%d\n", (int)(b>>127));
return 0; }""",
    "wide chars": r"""
int main(void) {
wchar_t w[]=L"hi"; printf("%zu %d\n", sizeof w/sizeof*w, (int)w[1]); printf("%zu\n", sizeof(u8"abc"));
return 0; }""",
    "complex lvalues": r"""
int main(void) {
int a=1,b=2,c[2]={ 3,4}; *(a>b?&a:&b)=9; printf("%d\n",b); (*&a)++; printf("%d\n",a); *(c+1)=5; 1[c]+=1;
printf("%d\n",c[1]); struct{ int x[2]; } s,*q=&s; (*q).x[1]=q->x[0]=8; printf("%d\n",s.x[1]); (&s)->x[0]--;
printf("%d\n", s.x[0]);
return 0; }""",
    "abort like": r"""
int main(void) {
int x=3; if(x==3) _Exit(9);
return 0; }""",
    "const fold neg shift": r"""
int main(void) {
int s=31; unsigned u=1u<<s; printf("%u %d\n",u,(int)(u>>31)); long l=1L<<s; printf("%ld\n",l); int m=-1;
printf("%d %d\n", m>>s, (int)((unsigned)m>>s));
return 0; }""",
    "static array param": r"""
static int f(int a[static 4]){ return a[3]+a[0]; }
int main(void) {
int a[4]={ 1,2,3,4}; printf("%d\n", f(a));
return 0; }""",
    "const members": r"""
static void f(const int n){ int k=n; k++; printf("%d\n",k); }
int main(void) {
struct S{ const int a; int b; } s={ 1,2}; const struct S t={ 3,4}; struct S*q=&s; q->b=5; printf("%d %d %d\n",
s.a,s.b,t.b); const int v[2]={ 6,7}; const int*r=v; printf("%d\n",r[1]); f(3);
return 0; }""",
    "loop unsigned down": r"""
int main(void) {
unsigned i; int n=0; for(i=3; i<4; i--) n++; printf("%d %u\n",n,i); unsigned char c; for(c=250; c>=250; c++)
n++; printf("%d %d\n",n,c); for(signed char d=125; d>0; d++) n++; printf("%d\n",n);
return 0; }""",
    "nested ternary ptr": r"""
int main(void) {
int a[2]={ 1,2}; int*q=a[0]>a[1]?a:a[1]>1?a+1:0; printf("%d\n", q?*q:-1); const
char*s=q==a?"first":q?"second":"none"; puts(s);
return 0; }""",
    "arr of arr ptr param": r"""
static int cnt(char(*g)[3],int n){ int s=0; for(int i=0; i<n; i++) for(char*q=g[i]; *q; q++) s+=*q-'a'; return
s; }
int main(void) {
char g[2][3]={ "ab","cd"}; printf("%d\n", cnt(g,2)); printf("%s\n", g[1]);
return 0; }""",
    "local struct shadow": r"""
int main(void) {
struct S{ int a; } x={ 1}; { struct S{ char a[3]; }y={ "hi"}; printf("%s %zu\n",y.a,sizeof(struct S)); }
printf("%zu %d\n",sizeof(struct S),x.a);
return 0; }""",
    "vla loop": r"""
int main(void) {
int t=0; for(int n=1; n<4; n++){ int a[n]; for(int i=0; i<n; i++) a[i]=i+1; for(int i=0; i<n; i++) t+=a[i];
t+=sizeof a; } printf("%d\n",t);
return 0; }""",
    "alloca ": r"""
int main(void) {
char*q=__builtin_alloca(4); strcpy(q,"abc"); puts(q);
return 0; }""",
    "memset struct": r"""
int main(void) {
struct{ int a; int*p; char c[3]; } s; memset(&s,0,sizeof s); printf("%d %d %d\n",s.a,s.p==0,s.c[2]); int v[3];
memset(v,-1,sizeof v); printf("%d\n",v[2]); memset(v,0,2*sizeof*v); printf("%d %d\n",v[1],v[2]);
return 0; }""",
    "bool ops": r"""
int main(void) {
bool a=true,b=false; a&=b; printf("%d\n",a); a|=2; printf("%d\n",a); printf("%d %d\n",a+a,a<<3); b=!a==b;
printf("%d\n",b); a=5>3==1; printf("%d\n",a); bool v[3]={ 2,0,-1}; printf("%d%d%d\n",v[0],v[1],v[2]);
printf("%d\n",(bool)0x100);
return 0; }""",
    "time loop goto switch": r"""
int main(void) {
int st=0,n=0; const char*in="ab1c22"; for(; ; ){ switch(st){ case 0: if(!*in) goto done; if(isdigit(*in)){ st=1;
continue; } in++; break; case 1: n=n*10+(*in-'0'); in++; st=0; break; }} done: printf("%d\n",n);
return 0; }""",
}
