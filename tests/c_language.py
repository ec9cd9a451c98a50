"""Small C programs about the language itself: conversions, bit-fields, initialisers, aliasing, statements, functions.

Each prints what it computes; the compiled program says what that should be.
"""

from __future__ import annotations

PROGRAMS = {
    "prom uchar neg": r"""
int main(void) {
unsigned char c=5; printf("%d %d %d\n", -c, ~c, c<<28); if (~c == 0xfa) return 1; if (-c < 0) return 2;
return 0; }""",
    "prom char sign": r"""
int main(void) {
char c=(char)200; printf("%d %d %d\n", c, c>>1, (unsigned char)c>>1); unsigned u=c; printf("%u\n", u);
return 0; }""",
    "prom ushort mul": r"""
int main(void) {
unsigned short a=60000; unsigned r=(unsigned)a*a; printf("%u %d\n", r, a+a);
return 0; }""",
    "cmp signed unsigned": r"""
int main(void) {
int a=-1; unsigned b=1; printf("%d %d %d\n", a<b, a<(int)b, (long)a<b); short s=-1; unsigned short us=1;
printf("%d\n", s<us); printf("%d\n", sizeof(int) > -1);
return 0; }""",
    "int min things": r"""
int main(void) {
int a=INT_MIN; printf("%d %u %lld\n", a, (unsigned)a, -(long long)a); printf("%d\n", a/2); printf("%d\n", a%7);
printf("%d\n", (-7)/2); printf("%d %d\n",(-7)%3, 7%-3);
return 0; }""",
    "unsigned wrap": r"""
int main(void) {
unsigned char c=255; c++; unsigned short s=0; s--; unsigned u=0; u-=1; unsigned long l=0; l--;
printf("%d %d %u %lu\n",c,s,u,l); c-=1; c=~c; printf("%d\n",c);
return 0; }""",
    "compound narrow": r"""
int main(void) {
signed char c=100; c+=100; printf("%d\n",c); unsigned char d=7; d*=77; printf("%d\n",d); short s=1000; s<<=6;
printf("%d\n",s); c=-1; c>>=1; printf("%d\n",c); d=200; d/=-3; printf("%d\n",d); d=200; d-=-300;
printf("%d\n",d);
return 0; }""",
    "shift types": r"""
int main(void) {
printf("%d %ld %u\n", 1<<4, 1L<<40, 1u<<31); unsigned char c=0x80; printf("%d\n", c<<1); printf("%d\n", -8>>1);
printf("%lld\n", (long long)-8>>2); unsigned long x=1; x<<=63; printf("%lu\n",x); printf("%d\n",(int)(x>>62));
int sh=3L; printf("%zu\n",sizeof(1<<5L));
return 0; }""",
    "literals types": r"""
int main(void) {
printf("%zu %zu %zu %zu %zu\n", sizeof 2147483647, sizeof 2147483648, sizeof 0xffffffff, sizeof 0x100000000,
sizeof 1u); printf("%d %d\n", -2147483648 < 0, 0xffffffff > 0); printf("%d\n", sizeof(0x80000000 - 1 < 0 ? 1 :
2L)==8); printf("%d\n", 2147483648 - 1 > 0); printf("%d %d %d\n", 010, 0x1F, 0b101);
return 0; }""",
    "char consts": r"""
int main(void) {
printf("%zu %d %d %d %d\n", sizeof 'a', '\377', '\x80', 'ab'==('a'*256+'b'), '\0'); printf("%d %d %d %d %d\n",
'\a', '\b', '\v', '\'', '\?'); printf("%zu\n", sizeof L'a'); printf("%d %d\n", L'\xff', u'x');
return 0; }""",
    "long arith": r"""
int main(void) {
long a=LONG_MAX; unsigned long b=a; b+=2; printf("%lu %ld\n", b, a/3); printf("%ld\n", a%1000); long long c=a;
c-=10; printf("%lld\n", c); int i=(int)(a); printf("%d\n", i); i=(int)0x123456789L; printf("%x\n",i);
return 0; }""",
    "mixed ranks": r"""
int main(void) {
unsigned u=4000000000u; long l=-1; printf("%d\n", l<u); printf("%ld\n", l+u); unsigned long ul=1; printf("%d\n",
-1<ul); long long ll=-1; printf("%d %d\n", ll<ul, ll<u); short s=-5; printf("%u\n", u+s);
printf("%zu %zu %zu\n", sizeof(u+l), sizeof(s+s), sizeof('a'+1L));
return 0; }""",
    "ternary types": r"""
int main(void) {
int a=-1; unsigned u=2; printf("%d\n", (1?a:u) > 0); printf("%zu\n", sizeof(1?1:1L)); char c=-1; printf("%d\n",
(1 ? c : (unsigned char)1)); long l=(0?0:-1); printf("%ld\n",l); l=(1?-1:0u); printf("%ld\n",l); int x[3]={
1,2,3}; printf("%d\n", (a?x:x+1)[1]); void *v=x; int *q = 1? v: x; printf("%d\n", *q); printf("%d\n",
*(a>0?x:(int*)v+2));
return 0; }""",
    "ternary chain": r"""
int main(void) {
int r=0; for(int i=0; i<6; i++) r=r*10+(i<2?1:i<4?i==3?7:2:3); printf("%d\n",r); int a=1,b=2; (a?a:b)+0;
*(a?&a:&b)=9; printf("%d %d\n",a,b); a?b++:a--; printf("%d\n",b);
return 0; }""",
    "comma": r"""
int main(void) {
int a=(1,2,3); int b=(a++,a++,a*2); printf("%d %d\n",a,b); int i,j; for(i=0,j=10; i<j; i++,j--);
printf("%d %d\n",i,j); int x[2]={ (1,5),6}; printf("%d\n",x[0]+x[(0,1)]); printf("%zu\n", sizeof(1,(char)2));
return 0; }""",
    "shortcircuit": r"""
int main(void) {
int n=0; int z=0; if(z && n++) ; if(1||n++) ; if(z||++n) ; if(1&&++n) ; printf("%d\n",n); int r=(z&&1/z);
printf("%d\n",r); r=!z||1/z; printf("%d\n",r); int *q=0; if(q&&*q) n=77; if(!q||*q==3) n+=100; printf("%d\n",n);
printf("%d\n", 5&&7); printf("%d\n", !!9 + !0);
return 0; }""",
    "incdec": r"""
int main(void) {
int a[4]={ 1,2,3,4},*q=a; int x=*q++; int y=*++q; int z=(*q)++; int w=++*q;
printf("%d %d %d %d %d\n",x,y,z,w,(int)(q-a)); q--; printf("%d\n", q[-1]); int i=0; a[i++]=9;
printf("%d %d\n",i,a[0]); unsigned char c=255; printf("%d",c++); printf(" %d\n",c); signed char sc=127; sc++;
printf("%d\n", sc);
return 0; }""",
    "div mod signs": r"""
int main(void) {
for(int i=-7; i<=7; i+=7) for(int j=-2; j<=3; j+=5) printf("%d %d\n", i/j, i%j); unsigned u=-7;
printf("%u %u\n", u/2, u%10); long l=-9; printf("%ld %ld\n", l/4u, l%4u); int k=-9; printf("%u %u\n", k/4u,
k%4u);
return 0; }""",
    "bf layout": r"""
int main(void) {
struct A{ char c; int x:4; int y:30; char d; }; struct B{ int a:3; int :0; int b:3; }; struct C{ int :4; int
a:4; }; printf("%zu %zu %zu\n", sizeof(struct A), sizeof(struct B), sizeof(struct C)); struct B b={ 1,2};
printf("%d %d\n", b.a,b.b); struct C c={ 3}; printf("%d\n",c.a);
return 0; }""",
    "bf init pos": r"""
int main(void) {
struct S{ int a:4; int :3; int b:4; unsigned :0; int c; }; struct S s={ 1,2,3}; printf("%d %d %d\n",
s.a,s.b,s.c); struct S t={ .b=7,9}; printf("%d %d %d\n", t.a,t.b,t.c); struct S arr[2]={ 1,2,3,4,5,6};
printf("%d %d\n", arr[1].a, arr[1].c);
return 0; }""",
    "bf assign value": r"""
int main(void) {
struct { signed int a:4; unsigned b:4; } s; int x=s.a=9; int y=s.b=20; printf("%d %d\n",x,y); s.a=7; int
z=s.a++; printf("%d %d\n",z,s.a); s.b=15; printf("%d\n",++s.b); s.b-=1; printf("%d\n",s.b); s.a=-8;
printf("%d\n",-s.a); s.a=s.b=3; printf("%d\n",s.a); s.b |= 0x30; printf("%d\n", s.b); s.a ^= -1; printf("%d\n",
s.a); s.b <<= 2; printf("%d\n", s.b);
return 0; }""",
    "bf bool": r"""
int main(void) {
struct{ _Bool b:1; unsigned u:1; int i:1; } s={ 0}; s.b=2; s.u=2; s.i=-1; printf("%d %d %d\n",s.b,s.u,s.i);
s.b++; s.u++; printf("%d %d\n",s.b,s.u); printf("%d\n", s.u==1); s.i=!s.i; printf("%d\n",s.i);
return 0; }""",
    "bf struct copy": r"""
int main(void) {
struct S{ int a:5; unsigned b:6; int c[2]; } s={ -3,60,{ 1,2}},t; t=s; t.a++; printf("%d %d %d %d\n",
s.a,t.a,t.b,t.c[1]); struct S *q=&t; q->b+=10; printf("%d\n", t.b); struct S u[2]; u[1]=*q; u[0]=u[1];
printf("%d %d\n", u[0].a, u[0].b);
return 0; }""",
    "un ret": r"""
union U{ int a; int b; }; static union U f(int x){ union U u; u.b=x; return u; }
int main(void) {
union U u=f(3); printf("%d\n", u.a); printf("%d\n", f(4).b); union U w[2]={ f(1),f(2)}; printf("%d\n", w[1].b);
return 0; }""",
    "in nested": r"""
int main(void) {
struct{ int a; struct{ int x,y; } p[2]; int z; } s={ 1,2,3,4,5,6},t={ .p[1].y=9,10},u={ 1,{ { 2},{ 3}},4};
printf("%d %d %d %d\n", s.p[1].y,s.z,t.p[1].y,t.z); printf("%d %d %d\n", u.p[0].y,u.p[1].x,u.z);
return 0; }""",
    "in array des": r"""
int main(void) {
int a[]={ [5]=1,2,[1]=3,4,[6]=9}; printf("%zu\n", sizeof a/sizeof*a); for(int i=0; i<8&&i<(int)(sizeof
a/sizeof*a); i++) printf("%d ",a[i]); puts(""); int b[3][2]={ [1]={ 5},[0][1]=4,7,8}; for(int i=0; i<3; i++)
printf("%d %d\n",b[i][0],b[i][1]);
return 0; }""",
    "in string": r"""
int main(void) {
char a[]="hi\0x"; char b[3]="abc"; char c[6]={ "de"}; char d[2][4]={ "ab",{ 'c'}};
printf("%zu %d %d %d %s %d %d\n", sizeof a, a[3], b[2], c[5], d[0], d[1][0], d[1][1]); char e[]={ "x" "yz"};
printf("%zu %s\n", sizeof e, e); const char *q="ab" "cd"; printf("%s %d\n", q+1, q[4]);
return 0; }""",
    "in override": r"""
int main(void) {
struct S{ int a,b,c; }; struct S x={ .a=1,.b=2,.c=3,.b=9}; struct{ struct S s; int k; } y={ .s={
1,2,3},.s.b=7,.k=4}; printf("%d %d %d %d %d\n",x.a,x.b,y.s.a,y.s.b,y.s.c); int a[4]={ 1,2,3,[0]=8,9};
printf("%d %d %d\n",a[0],a[1],a[2]);
return 0; }""",
    "in partial zero": r"""
int main(void) {
struct{ int *p; char c; long l; int a[3]; } s={ 0}; printf("%d %d %ld %d\n", s.p==0,s.c,s.l,s.a[2]); int z[5]={
}; printf("%d\n", z[4]); struct{ int x; struct{ int y; int *q; } i; } t={ .x=1}; printf("%d %d\n", t.i.y,
t.i.q==NULL);
return 0; }""",
    "in side effects": r"""
int main(void) {
int n=0; int a[3]={ n++,n++,n}; printf("%d %d %d %d\n",a[0]+a[1],a[2]>=0,n,0); struct{ int x,y; } s={
.y=n=5,.x=1}; printf("%d %d\n",s.x,s.y);
return 0; }""",
    "in compound lit": r"""
int main(void) {
int *q=(int[]){ 1,2,3}; struct P{ int x,y; }*r=&(struct P){ .y=4}; printf("%d %d %d\n", q[2], r->x, r->y);
printf("%d\n", ((struct P){ 7,8}).y); q=(int[4]){ [2]=5}; printf("%d %d\n",q[2],q[3]); for(int i=0; i<2; i++){
int *k=(int[]){ i}; k[0]+=10; printf("%d\n",*k); } char *c=(char[]){ "xy"}; c[0]='z'; printf("%s\n",c);
return 0; }""",
    "in global": r"""
static int g[]={ [3]=7,1}; int *gp=&g[4]; int *ge=g+5; struct{ int a; struct{ int x,y; } b; } gs={ 1,.b.y=3};
static int inc(int x){ return x+1; } struct{ int (*f)(int); const char*n; } gt[]={ { inc,"a"},{ .n="bb"}}; int
gm[][2]={ 1,2,3,4};
int main(void) {
printf("%d %d %d %s %d\n", g[3], *gp, gs.b.y, gt[1].n, gt[0].f(3)); printf("%d %d\n", (int)(ge-g), gm[1][1]);
return 0; }""",
    "in enum index": r"""
int main(void) {
enum{ A,B=3,C,N}; static const char*const n[N]={ [A]="a",[C]="c"}; printf("%d %s %d\n", N, n[C], n[B]==0); int
v[N]={ [B]=B}; printf("%d %d\n", v[B], v[C]);
return 0; }""",
    "in range": r"""
int main(void) {
int a[10]={ [0 ... 3]=1,[5 ... 8]=2,3}; int s=0; for(int i=0; i<10; i++) s=s*4+a[i]; printf("%d\n",s);
return 0; }""",
    "in struct expr": r"""
int main(void) {
struct P{ int x,y; } p={ 1,2}; struct{ struct P a,b; int k; } s={ p,{ 3},4}, t={ .b=p,5};
printf("%d %d %d %d\n",s.a.y,s.b.x,s.b.y,s.k); printf("%d %d %d\n", t.a.x,t.b.y,t.k); struct P v[2]={ p,p};
v[0].x=9; printf("%d %d\n",p.x,v[1].x);
return 0; }""",
    "al swap": r"""
static void sw(int*x,int*y){ int t=*x; *x=*y; *y=t; }
int main(void) {
int a=1,b=2; sw(&a,&b); printf("%d %d\n",a,b); sw(&a,&a); printf("%d\n",a); int v[2]={ 3,4}; sw(v,v+1);
printf("%d %d\n",v[0],v[1]);
return 0; }""",
    "al pp": r"""
int main(void) {
int a=1,b=2,*q=&a,**r=&q; *r=&b; **r=5; printf("%d %d %d\n",a,b,*q); int ***s=&r; ***s=6; printf("%d\n",b); int
*v[3]={ &a,&b,q}; *v[2]+=1; printf("%d\n",*v[1]); r=v; r++; **r=8; printf("%d\n",b); (*r)--;
return 0; }""",
    "al struct": r"""
int main(void) {
struct N{ int v; struct N*n; } a={ 1},b={ 2,&a},c={ 3,&b}; a.n=&c; struct N*q=&c; int s=0; for(int i=0; i<7;
i++){ s=s*10+q->v; q=q->n; } printf("%d\n",s); q->n->n->v=9; printf("%d %d %d\n",a.v,b.v,c.v);
return 0; }""",
    "al arr2": r"""
int main(void) {
int m[3][4]; for(int i=0; i<3; i++)for(int j=0; j<4; j++)m[i][j]=i*4+j; int (*r)[4]=m+1; printf("%d %d %d\n",
r[1][2], (*r)[3], *r[-1]); int *q=m[2]; printf("%d %zu %zu %zu\n", q[-0], sizeof m, sizeof *m, sizeof **m);
printf("%d\n",(int)(&m[2]-&m[0]));
return 0; }""",
    "al cmp": r"""
int main(void) {
int a[4]; struct{ int x,y; } s; printf("%d %d %d %d %d\n", a<a+1, &a[3]>=&a[3], a+4>a, &s.x<&s.y,
(void*)&s==(void*)&s.x); int *q=a; int *e=a+4; int n=0; while(q!=e){ n++; q++; } printf("%d\n",n); for(q=e; q>a;
) *--q=n--; printf("%d %d\n",a[0],a[3]);
return 0; }""",
    "al retptr": r"""
static int*at(int*q,int i){ return q+i; } static int *pick(int c,int*x,int*y){ return c?x:y; }
int main(void) {
int a[3]={ 1,2,3}; *at(a,1)=9; at(a,2)[0]++; printf("%d %d\n",a[1],a[2]); *pick(1,a,a+2)=5; printf("%d\n",a[0]);
return 0; }""",
    "al globptr": r"""
static int g1,g2,*p; static void set(int*q){ p=q; }
int main(void) {
set(&g1); *p=3; set(&g2); *p=4; printf("%d %d\n",g1,g2); int loc=1; set(&loc); (*p)++; printf("%d\n",loc);
return 0; }""",
    "st local": r"""
static int cnt(void){ static int n=5; return n++; } static int*adr(void){ static int k; return &k; }
int main(void) {
for(int i=0; i<3; i++) printf("%d ", cnt()); printf("%d\n", *adr()); (*adr())=9; printf("%d\n", *adr());
return 0; }""",
    "st shadow": r"""
int y=100;
int main(void) {
int x=1; { int x=2; { extern int y; x+=y; } printf("%d\n",x); } for(int x=7; x<8; x++) { int x=3;
printf("%d\n",x); } printf("%d %d\n",x,y); { static int y=4; y++; printf("%d\n",y); } if(x){ int y=x;
printf("%d\n",y); }
return 0; }""",
    "st tentative": r"""
int a; int a; static int b; static int b=3; int c[]; int c[2]; extern int a; void ext(void){ a++; } int a;
int main(void) {
printf("%d %d %d\n", a, b, c[1]); a=2; ext(); printf("%d\n", a);
return 0; }""",
    "st goto": r"""
int main(void) {
int i=0,s=0; again: s+=i; if(++i<5) goto again; printf("%d\n",s); goto in; { int k; in: k=3; printf("%d\n",k); }
for(i=0; i<3; i++){ for(int j=0; j<3; j++) if(j==1&&i==1) goto out; } out: printf("%d\n",i); { goto end; end:; }
return 0; }""",
    "st goto back decl": r"""
int main(void) {
int n=0; L:; int x=n*2; int y; y=x+1; n++; if(n<3) goto L; printf("%d %d %d\n",x,y,n);
return 0; }""",
    "st duff": r"""
int main(void) {
int n=11,c=0; char b[12]="abcdefghijk",o[12]; char*f=b,*t=o; int k=(n+3)/4; switch(n%4){ case 0: do{ *t++=*f++;
case 3:*t++=*f++; case 2:*t++=*f++; case 1:*t++=*f++; c++; }while(--k>0); } *t=0; printf("%s %d\n",o,c);
return 0; }""",
    "st switch types": r"""
int main(void) {
unsigned char c=255; switch(c){ case 255: printf("a\n"); break; default: printf("b\n"); } switch((char)c){ case
-1: printf("c\n"); break; case 255: printf("d\n"); } long l=1L<<32; switch(l){ case 0: printf("zero\n"); break;
case 4294967296: printf("big\n"); } switch(3){ default: printf("def "); case 1: printf("one\n"); break; case 2:
printf("two\n"); } enum E{ X,Y}e=Y; switch(e){ case X: break; case Y: { int k=3; printf("%d\n",k); }}
return 0; }""",
    "st switch nested": r"""
int main(void) {
int s=0; for(int i=0; i<6; i++){ switch(i){ case 0: continue; case 1: switch(i){ case 1: s+=1; break; default:
s+=1000; } s+=10; case 2: s+=100; break; case 4 ... 5: if(i==5) break; s+=5; default: s+=7; } s*=2; }
printf("%d\n",s);
return 0; }""",
    "st switch no match": r"""
int main(void) {
int k=9; switch(k){ case 1: k=0; } printf("%d\n",k); switch(k) case 9: k=4; printf("%d\n",k); switch(k){ int z;
case 4: z=2; printf("%d\n",z); } switch(k) { } while(1){ switch(k){ case 4: break; } break; } printf("e\n");
return 0; }""",
    "st do continue": r"""
int main(void) {
int i=0,n=0; do{ i++; if(i==2) continue; n+=i; }while(i<4); printf("%d %d\n",i,n); for(; ; ){ if(++i>8) break;
if(i&1) continue; n++; } printf("%d %d\n",i,n); while(i-->0) if(i==3) break; printf("%d\n",i);
return 0; }""",
    "st dangling else": r"""
int main(void) {
int a=1,b=0,r=0; if(a) if(b) r=1; else r=2; printf("%d\n",r); if(b); else if(a) r=3; printf("%d\n",r); if(!a)
r=4; else { } printf("%d\n",r);
return 0; }""",
    "fn kr": r"""
int add(a,b) int a; int b; { return a+b; } int neg(c) char c; { return -c; } long f(); int main(){
printf("%d %d %ld\n", add(2,3), neg(5), f(2)); return 0; } long f(x) int x; { return x*3L; }""",
    "fn ptr": r"""
static int add(int a,int b){ return a+b; } static int mul(int a,int b){ return a*b; } static int ap(int
f(int,int),int a,int b){ return f(a,b); } static int (*get(int k))(int,int){ return k?mul:add; }
int main(void) {
int (*f)(int,int)=add; printf("%d %d %d %d\n", f(1,2),(*f)(3,4),(**f)(5,6),(&add)(7,8)); f=&mul; printf("%d\n",
ap(f,3,4)); int (*t[])(int,int)={ add,mul,0}; int s=0; for(int i=0; t[i]; i++) s+=t[i](2,5); printf("%d\n",s);
printf("%d\n", get(1)(3,3)); printf("%d\n", f==mul);
return 0; }""",
    "fn struct val": r"""
struct P{ int x,y; }; struct A{ int a[2]; }; static struct P f(struct P p){ p.x+=10; int t=p.y; p.y=p.x; p.x+=t;
return p; } static struct A g(struct P a,struct P b){ struct A r={ { a.x,b.y}}; return r; }
int main(void) {
struct P p={ 1,2},q=f(p); printf("%d %d %d %d\n",p.x,q.x,q.y,f(f(p)).x); printf("%d\n", g(p,q).a[1]); struct P
r; r=(p.x?p:q); printf("%d\n", r.x);
return 0; }""",
    "fn const volatile": r"""
int main(void) {
const int k=4; volatile int w=k; w++; int const*const q=&k; printf("%d %d\n", *q, w); const struct{ int a; const
int b; } s={ 1,2}; printf("%d\n",s.b); register int r=3; r+=w; printf("%d\n",r); volatile int *pw=&w; *pw=9;
printf("%d\n", w);
return 0; }""",
    "fn inline noreturn": r"""
static inline int sq(int x){ return x*x; } _Noreturn static void die(int c){ exit(c); } static int chk(int x){
if(x<0) die(7); return x; }
int main(void) {
printf("%d\n", sq(3)); if(chk(2)) puts("ok"); chk(-1);
return 0; }""",
    "fn atexit exit": r"""
static void ex(int k){ printf("k%d\n",k); exit(k); }
int main(void) {
puts("a"); ex(3);
return 0; }""",
    "fn main ret": r"""
int main(void) {
int r=5; if(r>3) return 300;
return 0; }""",
    "fn main fall": r"""
int main(void){ int x=3; x++; }""",
    "fn ret conv": r"""
static signed char a(int x){ return x; } static unsigned char b(int x){ return x; } static _Bool c(int x){
return x; } static unsigned d(signed char x){ return x; }
int main(void) {
printf("%d %d %d %u\n", a(300), b(-1), c(5), d(-1));
return 0; }""",
    "fn arg conv": r"""
static int a(unsigned char c){ return c; } static long l(int x){ return x; } static unsigned long ul(unsigned
long x){ return x; }
int main(void) {
printf("%d %d %ld\n", a(511), a(-1), l(-1)); printf("%lu\n", ul(-1)); printf("%lu\n", ul(4294967295u));
return 0; }""",
    "fn implicit struct ret member": r"""
struct S{ int a,b,v[2]; }; static struct S mk(int x){ return (struct S){ x,x+1,{ x,x*2}}; }
int main(void) {
printf("%d %d\n", mk(3).b, mk(4).v[1]); int *q=&(mk(5).v)[0]-0; (void)q;
return 0; }""",
    "fn generic": r"""
#define T(x) _Generic((x),int:1,long:2,char:3,unsigned:4,int*:5,default:6)
int main(void) {
int i=0; long l=0; char c=0; unsigned u=0; int*q=0; const char*s="";
printf("%d%d%d%d%d%d%d\n",T(i),T(l),T(c),T(u),T(q),T(s),T(i+l)); printf("%d\n",T((char)1+c)); printf("%d\n",
_Generic(s,char*:1,const char*:2)); printf("%d\n", T("x"));
return 0; }""",
}
