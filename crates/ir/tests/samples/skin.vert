#version 450
layout(location=0) in vec3 pos; layout(location=1) in vec4 weights; layout(location=2) in ivec4 bones; layout(location=0) out vec3 nrm; layout(location=1) out vec4 tint;
layout(constant_id=3) const int QUALITY=2; layout(std140,set=1,binding=0) uniform Bones { mat4 m[64]; vec4 wind; float t; int flags; };
vec3 wave(vec3 p, int n){ vec3 r=p; for(int i=1;i<=n;i++){ float f=float(i); r.y+=sin(p.x*f+t)*wind.x/f; r.x+=cos(p.z*f-t)*wind.z/f; if(QUALITY<i) break; } return r; }
vec3 hsv(vec3 c){ vec4 K=vec4(1.0,2.0/3.0,1.0/3.0,3.0); vec3 p=abs(fract(c.xxx+K.xyz)*6.0-K.www); return c.z*mix(K.xxx,clamp(p-K.xxx,0.0,1.0),c.y); }
mat4 skin(){ mat4 s=mat4(0); float sum=0.0; for(int i=0;i<4;i++){ if(bones[i]<0) break; s+=m[bones[i]]*weights[i]; sum+=weights[i]; } if(sum<=0.0) return mat4(1.0); return s/sum; }
vec3 quat(vec4 q, vec3 v){ return v+2.0*cross(q.xyz,cross(q.xyz,v)+q.w*v); }
void main(){ mat4 s=skin(); vec3 p=(s*vec4(pos,1)).xyz; if((flags&1)!=0) p=wave(p,5); else if((flags&2)!=0) { p=quat(normalize(wind),p); }
  switch(flags>>2){ case 0: tint=vec4(1); break; case 1: tint=vec4(hsv(vec3(p.x,1,1)),1); break; case 2: tint=weights; break; default: tint=vec4(0); for(int i=0;i<3;i++) tint[i]=m[i][i][i]; }
  nrm=normalize(mat3(s)*vec3(0,1,0)); gl_Position=vec4(p,1); gl_PointSize=QUALITY>1?4.0:1.0; }
