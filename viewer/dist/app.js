/* Rille viewer, Apache-2.0. Contains three.js (MIT, three.js authors) and uPlot (MIT, Leon Sorokin). */
"use strict";(()=>{var Qp=0,td=1,em=2;var cr=1,tm=2,co=3,es=0,Nn=1,Pn=2,hr=0,ho=1,nd=2,id=3,sd=4,nm=5;var ur=100,im=101,sm=102,rm=103,om=104,am=200,lm=201,cm=202,hm=203,rd=204,od=205,um=206,dm=207,fm=208,pm=209,mm=210,gm=211,vm=212,xm=213,ym=214,Ol=0,kl=1,Bl=2,jr=3,zl=4,Hl=5,Vl=6,Gl=7,pc=0,_m=1,bm=2,ts=0,ad=1,ld=2,cd=3,La=4,hd=5,ud=6,dd=7;var fd=300,dr=301,uo=302,mc=303,gc=304,Qr=1e3,Ki=1001,Wl=1002,mn=1003,Mm=1004;var Na=1005;var Ln=1006,vc=1007;var Di=1008;var Jn=1009,pd=1010,md=1011,fo=1012,xc=1013,Ui=1014,_i=1015,Fi=1016,yc=1017,_c=1018,fr=1020,gd=35902,vd=35899,xd=1021,yd=1022,Oi=1023,xs=1026,Ms=1027,po=1028,bc=1029,Ys=1030,Mc=1031;var Sc=1033,Da=33776,Ua=33777,Fa=33778,Oa=33779,wc=35840,Ec=35841,Tc=35842,Ac=35843,Rc=36196,Cc=37492,Pc=37496,Ic=37488,Lc=37489,ka=37490,Nc=37491,Dc=37808,Uc=37809,Fc=37810,Oc=37811,kc=37812,Bc=37813,zc=37814,Hc=37815,Vc=37816,Gc=37817,Wc=37818,Xc=37819,qc=37820,Yc=37821,$c=36492,Zc=36494,Jc=36495,Kc=36283,jc=36284,Ba=36285,Qc=36286;var ea=2300,Xl=2301,Ul=2302,Xu=2303,qu=2400,Yu=2401,$u=2402;var Sm=3200;var za=0,wm=1,Ss="",nn="srgb",ta="srgb-linear",na="linear",Ct="srgb";var Fl=7680;var Em=519,Tm=512,Am=513,Rm=514,_d=515,Cm=516,Pm=517,bd=518,Md=519,Sd=35044,mo=35048;var wd="300 es",gi=2e3,eo=2001;function $v(i){for(let e=i.length-1;e>=0;--e)if(i[e]>=65535)return!0;return!1}function Zv(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function ia(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Im(){let i=ia("canvas");return i.style.display="block",i}var gp={},to=null;function sa(...i){let e="THREE."+i.shift();to?to("log",e,...i):console.log(e,...i)}function Lm(i){let e=i[0];if(typeof e=="string"&&e.startsWith("TSL:")){let t=i[1];t&&t.isStackTrace?i[0]+=" "+t.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function $e(...i){i=Lm(i);let e="THREE."+i.shift();if(to)to("warn",e,...i);else{let t=i[0];t&&t.isStackTrace?console.warn(t.getError(e)):console.warn(e,...i)}}function Ke(...i){i=Lm(i);let e="THREE."+i.shift();if(to)to("error",e,...i);else{let t=i[0];t&&t.isStackTrace?console.error(t.getError(e)):console.error(e,...i)}}function Ko(...i){let e=i.join(" ");e in gp||(gp[e]=!0,$e(...i))}function Nm(i,e,t){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(e,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,t);break;default:n()}}setTimeout(r,t)})}var Dm={[Ol]:Ol,[Bl]:Vl,[zl]:zl,[jr]:Hl,[kl]:kl,[Vl]:Bl,[Gl]:Gl,[Hl]:jr},ji=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n===void 0?!1:n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let s=n[e];if(s!==void 0){let r=s.indexOf(t);r!==-1&&s.splice(r,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,e);e.target=null}}},Fn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],vp=1234567,jo=Math.PI/180,no=180/Math.PI;function $s(){let i=Math.random()*4294967295|0,e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Fn[i&255]+Fn[i>>8&255]+Fn[i>>16&255]+Fn[i>>24&255]+"-"+Fn[e&255]+Fn[e>>8&255]+"-"+Fn[e>>16&15|64]+Fn[e>>24&255]+"-"+Fn[t&63|128]+Fn[t>>8&255]+"-"+Fn[t>>16&255]+Fn[t>>24&255]+Fn[n&255]+Fn[n>>8&255]+Fn[n>>16&255]+Fn[n>>24&255]).toLowerCase()}function gt(i,e,t){return Math.max(e,Math.min(t,i))}function Ed(i,e){return(i%e+e)%e}function Jv(i,e,t,n,s){return n+(i-e)*(s-n)/(t-e)}function Kv(i,e,t){return i!==e?(t-i)/(e-i):0}function Qo(i,e,t){return(1-t)*i+t*e}function jv(i,e,t,n){return Qo(i,e,1-Math.exp(-t*n))}function Qv(i,e=1){return e-Math.abs(Ed(i,e*2)-e)}function ex(i,e,t){return i<=e?0:i>=t?1:(i=(i-e)/(t-e),i*i*(3-2*i))}function tx(i,e,t){return i<=e?0:i>=t?1:(i=(i-e)/(t-e),i*i*i*(i*(i*6-15)+10))}function nx(i,e){return i+Math.floor(Math.random()*(e-i+1))}function ix(i,e){return i+Math.random()*(e-i)}function sx(i){return i*(.5-Math.random())}function rx(i){i!==void 0&&(vp=i);let e=vp+=1831565813;return e=Math.imul(e^e>>>15,e|1),e^=e+Math.imul(e^e>>>7,e|61),((e^e>>>14)>>>0)/4294967296}function ox(i){return i*jo}function ax(i){return i*no}function lx(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function cx(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function Td(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function hx(i,e,t,n,s){let r=Math.cos,o=Math.sin,a=r(t/2),l=o(t/2),c=r((e+n)/2),h=o((e+n)/2),u=r((e-n)/2),d=o((e-n)/2),f=r((n-e)/2),g=o((n-e)/2);switch(s){case"XYX":i.set(a*h,l*u,l*d,a*c);break;case"YZY":i.set(l*d,a*h,l*u,a*c);break;case"ZXZ":i.set(l*u,l*d,a*h,a*c);break;case"XZX":i.set(a*h,l*g,l*f,a*c);break;case"YXY":i.set(l*f,a*h,l*g,a*c);break;case"ZYZ":i.set(l*g,l*f,a*h,a*c);break;default:$e("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function eh(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Ad(i,e){if(e.constructor===Float32Array)return i;let t=eh(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/t,-1)}function Rd(i,e){if(e.constructor===Float32Array)return i;let t=eh(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*t)}var ki={DEG2RAD:jo,RAD2DEG:no,generateUUID:$s,clamp:gt,euclideanModulo:Ed,mapLinear:Jv,inverseLerp:Kv,lerp:Qo,damp:jv,pingpong:Qv,smoothstep:ex,smootherstep:tx,randInt:nx,randFloat:ix,randFloatSpread:sx,seededRandom:rx,degToRad:ox,radToDeg:ax,isPowerOfTwo:lx,ceilPowerOfTwo:cx,floorPowerOfTwo:Td,setQuaternionFromProperEuler:hx,normalize:Rd,denormalize:Ad},We=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw new Error("THREE.Vector2: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,s=e.elements;return this.x=s[0]*t+s[3]*n+s[6],this.y=s[1]*t+s[4]*n+s[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=gt(this.x,e.x,t.x),this.y=gt(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=gt(this.x,e,t),this.y=gt(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(gt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(gt(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),s=Math.sin(t),r=this.x-e.x,o=this.y-e.y;return this.x=r*n-o*s+e.x,this.y=r*s+o*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},on=class{constructor(e=0,t=0,n=0,s=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=s}static slerpFlat(e,t,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],d=r[o+0],f=r[o+1],g=r[o+2],y=r[o+3];if(u!==y||l!==d||c!==f||h!==g){let m=l*d+c*f+h*g+u*y;m<0&&(d=-d,f=-f,g=-g,y=-y,m=-m);let p=1-a;if(m<.9995){let _=Math.acos(m),A=Math.sin(_);p=Math.sin(p*_)/A,a=Math.sin(a*_)/A,l=l*p+d*a,c=c*p+f*a,h=h*p+g*a,u=u*p+y*a}else{l=l*p+d*a,c=c*p+f*a,h=h*p+g*a,u=u*p+y*a;let _=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=_,c*=_,h*=_,u*=_}}e[t]=l,e[t+1]=c,e[t+2]=h,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],d=r[o+1],f=r[o+2],g=r[o+3];return e[t]=a*g+h*u+l*f-c*d,e[t+1]=l*g+h*d+c*u-a*f,e[t+2]=c*g+h*f+a*d-l*u,e[t+3]=h*g-a*u-l*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,s){return this._x=e,this._y=t,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,s=e._y,r=e._z,o=e._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),d=l(n/2),f=l(s/2),g=l(r/2);switch(o){case"XYZ":this._x=d*h*u+c*f*g,this._y=c*f*u-d*h*g,this._z=c*h*g+d*f*u,this._w=c*h*u-d*f*g;break;case"YXZ":this._x=d*h*u+c*f*g,this._y=c*f*u-d*h*g,this._z=c*h*g-d*f*u,this._w=c*h*u+d*f*g;break;case"ZXY":this._x=d*h*u-c*f*g,this._y=c*f*u+d*h*g,this._z=c*h*g+d*f*u,this._w=c*h*u-d*f*g;break;case"ZYX":this._x=d*h*u-c*f*g,this._y=c*f*u+d*h*g,this._z=c*h*g-d*f*u,this._w=c*h*u+d*f*g;break;case"YZX":this._x=d*h*u+c*f*g,this._y=c*f*u+d*h*g,this._z=c*h*g-d*f*u,this._w=c*h*u-d*f*g;break;case"XZY":this._x=d*h*u-c*f*g,this._y=c*f*u-d*h*g,this._z=c*h*g+d*f*u,this._w=c*h*u+d*f*g;break;default:$e("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,s=Math.sin(n);return this._x=e.x*s,this._y=e.y*s,this._z=e.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],s=t[4],r=t[8],o=t[1],a=t[5],l=t[9],c=t[2],h=t[6],u=t[10],d=n+a+u;if(d>0){let f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(h-l)*f,this._y=(r-c)*f,this._z=(o-s)*f}else if(n>a&&n>u){let f=2*Math.sqrt(1+n-a-u);this._w=(h-l)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+c)/f}else if(a>u){let f=2*Math.sqrt(1+a-n-u);this._w=(r-c)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(l+h)/f}else{let f=2*Math.sqrt(1+u-n-a);this._w=(o-s)/f,this._x=(r+c)/f,this._y=(l+h)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(gt(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let s=Math.min(1,t/n);return this.slerp(e,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x=this._x*e,this._y=this._y*e,this._z=this._z*e,this._w=this._w*e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=t._x,l=t._y,c=t._z,h=t._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=this.dot(e);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-t;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,t=Math.sin(t*c)/h,this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+o*t,this._onChangeCallback()}else this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+o*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(e),s*Math.cos(e),r*Math.sin(t),r*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},k=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw new Error("THREE.Vector3: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(xp.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(xp.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6]*s,this.y=r[1]*t+r[4]*n+r[7]*s,this.z=r[2]*t+r[5]*n+r[8]*s,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=e.elements,o=1/(r[3]*t+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*t+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*t+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*t+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(e){let t=this.x,n=this.y,s=this.z,r=e.x,o=e.y,a=e.z,l=e.w,c=2*(o*s-a*n),h=2*(a*t-r*s),u=2*(r*n-o*t);return this.x=t+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[4]*n+r[8]*s,this.y=r[1]*t+r[5]*n+r[9]*s,this.z=r[2]*t+r[6]*n+r[10]*s,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=gt(this.x,e.x,t.x),this.y=gt(this.y,e.y,t.y),this.z=gt(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=gt(this.x,e,t),this.y=gt(this.y,e,t),this.z=gt(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(gt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,s=e.y,r=e.z,o=t.x,a=t.y,l=t.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return Su.copy(this).projectOnVector(e),this.sub(Su)}reflect(e){return this.sub(Su.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(gt(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,s=this.z-e.z;return t*t+n*n+s*s}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let s=Math.sin(t)*e;return this.x=s*Math.sin(n),this.y=Math.cos(t)*e,this.z=s*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),s=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=s,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Su=new k,xp=new on,tt=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,l,c)}set(e,t,n,s,r,o,a,l,c){let h=this.elements;return h[0]=e,h[1]=s,h[2]=a,h[3]=t,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],d=n[2],f=n[5],g=n[8],y=s[0],m=s[3],p=s[6],_=s[1],A=s[4],M=s[7],C=s[2],T=s[5],x=s[8];return r[0]=o*y+a*_+l*C,r[3]=o*m+a*A+l*T,r[6]=o*p+a*M+l*x,r[1]=c*y+h*_+u*C,r[4]=c*m+h*A+u*T,r[7]=c*p+h*M+u*x,r[2]=d*y+f*_+g*C,r[5]=d*m+f*A+g*T,r[8]=d*p+f*M+g*x,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8];return t*o*h-t*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8],u=h*o-a*c,d=a*l-h*r,f=c*r-o*l,g=t*u+n*d+s*f;if(g===0)return this.set(0,0,0,0,0,0,0,0,0);let y=1/g;return e[0]=u*y,e[1]=(s*c-h*n)*y,e[2]=(a*n-s*o)*y,e[3]=d*y,e[4]=(h*t-s*l)*y,e[5]=(s*r-a*t)*y,e[6]=f*y,e[7]=(n*l-c*t)*y,e[8]=(o*t-n*r)*y,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+e,-s*c,s*l,-s*(-c*o+l*a)+a+t,0,0,1),this}scale(e,t){return Ko("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(wu.makeScale(e,t)),this}rotate(e){return Ko("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(wu.makeRotation(-e)),this}translate(e,t){return Ko("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(wu.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<9;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},wu=new tt,yp=new tt().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),_p=new tt().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function ux(){let i={enabled:!0,workingColorSpace:ta,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Ct&&(s.r=vs(s.r),s.g=vs(s.g),s.b=vs(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Ct&&(s.r=Kr(s.r),s.g=Kr(s.g),s.b=Kr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Ss?na:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},e=[.64,.33,.3,.6,.15,.06],t=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[ta]:{primaries:e,whitePoint:n,transfer:na,toXYZ:yp,fromXYZ:_p,luminanceCoefficients:t,workingColorSpaceConfig:{unpackColorSpace:nn},outputColorSpaceConfig:{drawingBufferColorSpace:nn}},[nn]:{primaries:e,whitePoint:n,transfer:Ct,toXYZ:yp,fromXYZ:_p,luminanceCoefficients:t,outputColorSpaceConfig:{drawingBufferColorSpace:nn}}}),i}var yt=ux();function vs(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Kr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Nr,ql=class{static getDataURL(e,t="image/png"){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>"u")return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{Nr===void 0&&(Nr=ia("canvas")),Nr.width=e.width,Nr.height=e.height;let s=Nr.getContext("2d");e instanceof ImageData?s.putImageData(e,0,0):s.drawImage(e,0,0,e.width,e.height),n=Nr}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&e instanceof ImageBitmap){let t=ia("canvas");t.width=e.width,t.height=e.height;let n=t.getContext("2d");n.drawImage(e,0,0,e.width,e.height);let s=n.getImageData(0,0,e.width,e.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=vs(r[o]/255)*255;return n.putImageData(s,0,0),t}else if(e.data){let t=e.data.slice(0);for(let n=0;n<t.length;n++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[n]=Math.floor(vs(t[n]/255)*255):t[n]=vs(t[n]);return{data:t,width:e.width,height:e.height}}else return $e("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),e}},dx=0,io=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:dx++}),this.uuid=$s(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<"u"&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<"u"&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t!==null?e.set(t.width||0,t.height||0,t.depth||0):e.set(0,0,0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Eu(s[o].image)):r.push(Eu(s[o]))}else r=Eu(s);n.url=r}return t||(e.images[this.uuid]=n),n}};function Eu(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?ql.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:($e("Texture: Unable to serialize Texture."),{})}var fx=0,Tu=new k,Xn=class i extends ji{constructor(e=i.DEFAULT_IMAGE,t=i.DEFAULT_MAPPING,n=Ki,s=Ki,r=Ln,o=Di,a=Oi,l=Jn,c=i.DEFAULT_ANISOTROPY,h=Ss){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:fx++}),this.uuid=$s(),this.name="",this.source=new io(e),this.mipmaps=[],this.mapping=t,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new We(0,0),this.repeat=new We(1,1),this.center=new We(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new tt,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(e&&e.depth&&e.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Tu).x}get height(){return this.source.getSize(Tu).y}get depth(){return this.source.getSize(Tu).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){$e(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){$e(`Texture.setValues(): property '${t}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(e){if(this.mapping!==fd)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case Qr:e.x=e.x-Math.floor(e.x);break;case Ki:e.x=e.x<0?0:1;break;case Wl:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x=e.x-Math.floor(e.x);break}if(e.y<0||e.y>1)switch(this.wrapT){case Qr:e.y=e.y-Math.floor(e.y);break;case Ki:e.y=e.y<0?0:1;break;case Wl:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y=e.y-Math.floor(e.y);break}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};Xn.DEFAULT_IMAGE=null;Xn.DEFAULT_MAPPING=fd;Xn.DEFAULT_ANISOTROPY=1;var Zt=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,s=1){this.x=e,this.y=t,this.z=n,this.w=s}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,s){return this.x=e,this.y=t,this.z=n,this.w=s,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw new Error("THREE.Vector4: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w!==void 0?e.w:1,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=this.w,o=e.elements;return this.x=o[0]*t+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*t+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*t+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*t+o[7]*n+o[11]*s+o[15]*r,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,s,r,l=e.elements,c=l[0],h=l[4],u=l[8],d=l[1],f=l[5],g=l[9],y=l[2],m=l[6],p=l[10];if(Math.abs(h-d)<.01&&Math.abs(u-y)<.01&&Math.abs(g-m)<.01){if(Math.abs(h+d)<.1&&Math.abs(u+y)<.1&&Math.abs(g+m)<.1&&Math.abs(c+f+p-3)<.1)return this.set(1,0,0,0),this;t=Math.PI;let A=(c+1)/2,M=(f+1)/2,C=(p+1)/2,T=(h+d)/4,x=(u+y)/4,E=(g+m)/4;return A>M&&A>C?A<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(A),s=T/n,r=x/n):M>C?M<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(M),n=T/s,r=E/s):C<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(C),n=x/r,s=E/r),this.set(n,s,r,t),this}let _=Math.sqrt((m-g)*(m-g)+(u-y)*(u-y)+(d-h)*(d-h));return Math.abs(_)<.001&&(_=1),this.x=(m-g)/_,this.y=(u-y)/_,this.z=(d-h)/_,this.w=Math.acos((c+f+p-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=gt(this.x,e.x,t.x),this.y=gt(this.y,e.y,t.y),this.z=gt(this.z,e.z,t.z),this.w=gt(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=gt(this.x,e,t),this.y=gt(this.y,e,t),this.z=gt(this.z,e,t),this.w=gt(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(gt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Yl=class extends ji{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Ln,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new Zt(0,0,e,t),this.scissorTest=!1,this.viewport=new Zt(0,0,e,t),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Xn({width:e,height:t,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:Ln,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=e,this.textures[s].image.height=t,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let s=Object.assign({},e.textures[t].image);this.textures[t].source=new io(s)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null)if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture;else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},ri=class extends Yl{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},ra=class extends Xn{constructor(e=null,t=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=mn,this.minFilter=mn,this.wrapR=Ki,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}};var $l=class extends Xn{constructor(e=null,t=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=mn,this.minFilter=mn,this.wrapR=Ki,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}};var lt=class i{static{this.prototype.isMatrix4=!0}constructor(e,t,n,s,r,o,a,l,c,h,u,d,f,g,y,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,l,c,h,u,d,f,g,y,m)}set(e,t,n,s,r,o,a,l,c,h,u,d,f,g,y,m){let p=this.elements;return p[0]=e,p[4]=t,p[8]=n,p[12]=s,p[1]=r,p[5]=o,p[9]=a,p[13]=l,p[2]=c,p[6]=h,p[10]=u,p[14]=d,p[3]=f,p[7]=g,p[11]=y,p[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,s=1/Dr.setFromMatrixColumn(e,0).length(),r=1/Dr.setFromMatrixColumn(e,1).length(),o=1/Dr.setFromMatrixColumn(e,2).length();return t[0]=n[0]*s,t[1]=n[1]*s,t[2]=n[2]*s,t[3]=0,t[4]=n[4]*r,t[5]=n[5]*r,t[6]=n[6]*r,t[7]=0,t[8]=n[8]*o,t[9]=n[9]*o,t[10]=n[10]*o,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,s=e.y,r=e.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(e.order==="XYZ"){let d=o*h,f=o*u,g=a*h,y=a*u;t[0]=l*h,t[4]=-l*u,t[8]=c,t[1]=f+g*c,t[5]=d-y*c,t[9]=-a*l,t[2]=y-d*c,t[6]=g+f*c,t[10]=o*l}else if(e.order==="YXZ"){let d=l*h,f=l*u,g=c*h,y=c*u;t[0]=d+y*a,t[4]=g*a-f,t[8]=o*c,t[1]=o*u,t[5]=o*h,t[9]=-a,t[2]=f*a-g,t[6]=y+d*a,t[10]=o*l}else if(e.order==="ZXY"){let d=l*h,f=l*u,g=c*h,y=c*u;t[0]=d-y*a,t[4]=-o*u,t[8]=g+f*a,t[1]=f+g*a,t[5]=o*h,t[9]=y-d*a,t[2]=-o*c,t[6]=a,t[10]=o*l}else if(e.order==="ZYX"){let d=o*h,f=o*u,g=a*h,y=a*u;t[0]=l*h,t[4]=g*c-f,t[8]=d*c+y,t[1]=l*u,t[5]=y*c+d,t[9]=f*c-g,t[2]=-c,t[6]=a*l,t[10]=o*l}else if(e.order==="YZX"){let d=o*l,f=o*c,g=a*l,y=a*c;t[0]=l*h,t[4]=y-d*u,t[8]=g*u+f,t[1]=u,t[5]=o*h,t[9]=-a*h,t[2]=-c*h,t[6]=f*u+g,t[10]=d-y*u}else if(e.order==="XZY"){let d=o*l,f=o*c,g=a*l,y=a*c;t[0]=l*h,t[4]=-u,t[8]=c*h,t[1]=d*u+y,t[5]=o*h,t[9]=f*u-g,t[2]=g*u-f,t[6]=a*h,t[10]=y*u+d}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(px,e,mx)}lookAt(e,t,n){let s=this.elements;return ni.subVectors(e,t),ni.lengthSq()===0&&(ni.z=1),ni.normalize(),Fs.crossVectors(n,ni),Fs.lengthSq()===0&&(Math.abs(n.z)===1?ni.x+=1e-4:ni.z+=1e-4,ni.normalize(),Fs.crossVectors(n,ni)),Fs.normalize(),al.crossVectors(ni,Fs),s[0]=Fs.x,s[4]=al.x,s[8]=ni.x,s[1]=Fs.y,s[5]=al.y,s[9]=ni.y,s[2]=Fs.z,s[6]=al.z,s[10]=ni.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],d=n[9],f=n[13],g=n[2],y=n[6],m=n[10],p=n[14],_=n[3],A=n[7],M=n[11],C=n[15],T=s[0],x=s[4],E=s[8],O=s[12],I=s[1],L=s[5],z=s[9],H=s[13],D=s[2],W=s[6],Y=s[10],G=s[14],ce=s[3],J=s[7],Q=s[11],se=s[15];return r[0]=o*T+a*I+l*D+c*ce,r[4]=o*x+a*L+l*W+c*J,r[8]=o*E+a*z+l*Y+c*Q,r[12]=o*O+a*H+l*G+c*se,r[1]=h*T+u*I+d*D+f*ce,r[5]=h*x+u*L+d*W+f*J,r[9]=h*E+u*z+d*Y+f*Q,r[13]=h*O+u*H+d*G+f*se,r[2]=g*T+y*I+m*D+p*ce,r[6]=g*x+y*L+m*W+p*J,r[10]=g*E+y*z+m*Y+p*Q,r[14]=g*O+y*H+m*G+p*se,r[3]=_*T+A*I+M*D+C*ce,r[7]=_*x+A*L+M*W+C*J,r[11]=_*E+A*z+M*Y+C*Q,r[15]=_*O+A*H+M*G+C*se,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[12],o=e[1],a=e[5],l=e[9],c=e[13],h=e[2],u=e[6],d=e[10],f=e[14],g=e[3],y=e[7],m=e[11],p=e[15],_=l*f-c*d,A=a*f-c*u,M=a*d-l*u,C=o*f-c*h,T=o*d-l*h,x=o*u-a*h;return t*(y*_-m*A+p*M)-n*(g*_-m*C+p*T)+s*(g*A-y*C+p*x)-r*(g*M-y*T+m*x)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[1],o=e[5],a=e[9],l=e[2],c=e[6],h=e[10];return t*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let s=this.elements;return e.isVector3?(s[12]=e.x,s[13]=e.y,s[14]=e.z):(s[12]=e,s[13]=t,s[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8],u=e[9],d=e[10],f=e[11],g=e[12],y=e[13],m=e[14],p=e[15],_=t*a-n*o,A=t*l-s*o,M=t*c-r*o,C=n*l-s*a,T=n*c-r*a,x=s*c-r*l,E=h*y-u*g,O=h*m-d*g,I=h*p-f*g,L=u*m-d*y,z=u*p-f*y,H=d*p-f*m,D=_*H-A*z+M*L+C*I-T*O+x*E;if(D===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let W=1/D;return e[0]=(a*H-l*z+c*L)*W,e[1]=(s*z-n*H-r*L)*W,e[2]=(y*x-m*T+p*C)*W,e[3]=(d*T-u*x-f*C)*W,e[4]=(l*I-o*H-c*O)*W,e[5]=(t*H-s*I+r*O)*W,e[6]=(m*M-g*x-p*A)*W,e[7]=(h*x-d*M+f*A)*W,e[8]=(o*z-a*I+c*E)*W,e[9]=(n*I-t*z-r*E)*W,e[10]=(g*T-y*M+p*_)*W,e[11]=(u*M-h*T-f*_)*W,e[12]=(a*O-o*L-l*E)*W,e[13]=(t*L-n*O+s*E)*W,e[14]=(y*A-g*C-m*_)*W,e[15]=(h*C-u*A+d*_)*W,this}scale(e){let t=this.elements,n=e.x,s=e.y,r=e.z;return t[0]*=n,t[4]*=s,t[8]*=r,t[1]*=n,t[5]*=s,t[9]*=r,t[2]*=n,t[6]*=s,t[10]*=r,t[3]*=n,t[7]*=s,t[11]*=r,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],s=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,s))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),s=Math.sin(t),r=1-n,o=e.x,a=e.y,l=e.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,s,r,o){return this.set(1,n,r,0,e,1,o,0,t,s,1,0,0,0,0,1),this}compose(e,t,n){let s=this.elements,r=t._x,o=t._y,a=t._z,l=t._w,c=r+r,h=o+o,u=a+a,d=r*c,f=r*h,g=r*u,y=o*h,m=o*u,p=a*u,_=l*c,A=l*h,M=l*u,C=n.x,T=n.y,x=n.z;return s[0]=(1-(y+p))*C,s[1]=(f+M)*C,s[2]=(g-A)*C,s[3]=0,s[4]=(f-M)*T,s[5]=(1-(d+p))*T,s[6]=(m+_)*T,s[7]=0,s[8]=(g+A)*x,s[9]=(m-_)*x,s[10]=(1-(d+y))*x,s[11]=0,s[12]=e.x,s[13]=e.y,s[14]=e.z,s[15]=1,this}decompose(e,t,n){let s=this.elements;e.x=s[12],e.y=s[13],e.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),t.identity(),this;let o=Dr.set(s[0],s[1],s[2]).length(),a=Dr.set(s[4],s[5],s[6]).length(),l=Dr.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Ci.copy(this);let c=1/o,h=1/a,u=1/l;return Ci.elements[0]*=c,Ci.elements[1]*=c,Ci.elements[2]*=c,Ci.elements[4]*=h,Ci.elements[5]*=h,Ci.elements[6]*=h,Ci.elements[8]*=u,Ci.elements[9]*=u,Ci.elements[10]*=u,t.setFromRotationMatrix(Ci),n.x=o,n.y=a,n.z=l,this}makePerspective(e,t,n,s,r,o,a=gi,l=!1){let c=this.elements,h=2*r/(t-e),u=2*r/(n-s),d=(t+e)/(t-e),f=(n+s)/(n-s),g,y;if(l)g=r/(o-r),y=o*r/(o-r);else if(a===gi)g=-(o+r)/(o-r),y=-2*o*r/(o-r);else if(a===eo)g=-o/(o-r),y=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=g,c[14]=y,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,s,r,o,a=gi,l=!1){let c=this.elements,h=2/(t-e),u=2/(n-s),d=-(t+e)/(t-e),f=-(n+s)/(n-s),g,y;if(l)g=1/(o-r),y=o/(o-r);else if(a===gi)g=-2/(o-r),y=-(o+r)/(o-r);else if(a===eo)g=-1/(o-r),y=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=g,c[14]=y,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<16;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},Dr=new k,Ci=new lt,px=new k(0,0,0),mx=new k(1,1,1),Fs=new k,al=new k,ni=new k,bp=new lt,Mp=new on,Qi=class i{constructor(e=0,t=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=e,this._y=t,this._z=n,this._order=s}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,s=this._order){return this._x=e,this._y=t,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let s=e.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],d=s[6],f=s[10];switch(t){case"XYZ":this._y=Math.asin(gt(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,c),this._z=0);break;case"YXZ":this._x=Math.asin(-gt(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(gt(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-gt(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(gt(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-gt(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,f),this._y=0);break;default:$e("Euler: .setFromRotationMatrix() encountered an unknown order: "+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return bp.makeRotationFromQuaternion(e),this.setFromRotationMatrix(bp,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return Mp.setFromEuler(this),this.setFromQuaternion(Mp,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Qi.DEFAULT_ORDER="XYZ";var so=class{constructor(){this.mask=1}set(e){this.mask=(1<<e|0)>>>0}enable(e){this.mask|=1<<e|0}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e|0}disable(e){this.mask&=~(1<<e|0)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return(this.mask&(1<<e|0))!==0}},gx=0,Sp=new k,Ur=new on,us=new lt,ll=new k,Ho=new k,vx=new k,xx=new on,wp=new k(1,0,0),Ep=new k(0,1,0),Tp=new k(0,0,1),Ap={type:"added"},yx={type:"removed"},Fr={type:"childadded",child:null},Au={type:"childremoved",child:null},an=class i extends ji{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:gx++}),this.uuid=$s(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let e=new k,t=new Qi,n=new on,s=new k(1,1,1);function r(){n.setFromEuler(t,!1)}function o(){t.setFromQuaternion(n,void 0,!1)}t._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:e},rotation:{configurable:!0,enumerable:!0,value:t},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new lt},normalMatrix:{value:new tt}}),this.matrix=new lt,this.matrixWorld=new lt,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new so,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return Ur.setFromAxisAngle(e,t),this.quaternion.multiply(Ur),this}rotateOnWorldAxis(e,t){return Ur.setFromAxisAngle(e,t),this.quaternion.premultiply(Ur),this}rotateX(e){return this.rotateOnAxis(wp,e)}rotateY(e){return this.rotateOnAxis(Ep,e)}rotateZ(e){return this.rotateOnAxis(Tp,e)}translateOnAxis(e,t){return Sp.copy(e).applyQuaternion(this.quaternion),this.position.add(Sp.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(wp,e)}translateY(e){return this.translateOnAxis(Ep,e)}translateZ(e){return this.translateOnAxis(Tp,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(us.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?ll.copy(e):ll.set(e,t,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Ho.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?us.lookAt(Ho,ll,this.up):us.lookAt(ll,Ho,this.up),this.quaternion.setFromRotationMatrix(us),s&&(us.extractRotation(s.matrixWorld),Ur.setFromRotationMatrix(us),this.quaternion.premultiply(Ur.invert()))}add(e){if(arguments.length>1){for(let t=0;t<arguments.length;t++)this.add(arguments[t]);return this}return e===this?(Ke("Object3D.add: object can't be added as a child of itself.",e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(Ap),Fr.child=e,this.dispatchEvent(Fr),Fr.child=null):Ke("Object3D.add: object not an instance of THREE.Object3D.",e),this)}remove(e){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(yx),Au.child=e,this.dispatchEvent(Au),Au.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),us.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),us.multiply(e.parent.matrixWorld)),e.applyMatrix4(us),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(Ap),Fr.child=e,this.dispatchEvent(Fr),Fr.child=null,this}getObjectById(e){return this.getObjectByProperty("id",e)}getObjectByName(e){return this.getObjectByProperty("name",e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(e,t);if(o!==void 0)return o}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ho,e,vx),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ho,xx,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,s=e.z,r=this.matrix.elements;r[12]+=t-r[0]*t-r[4]*n-r[8]*s,r[13]+=n-r[1]*t-r[5]*n-r[9]*s,r[14]+=s-r[2]*t-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let s=this.parent;if(e===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e=="string",n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(e),s.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(e)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(e.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(e.shapes,u)}else r(e.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(e.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(e.materials,this.material[l]));s.material=a}else s.material=r(e.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(e).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(e.animations,l))}}if(t){let a=o(e.geometries),l=o(e.materials),c=o(e.textures),h=o(e.images),u=o(e.shapes),d=o(e.skeletons),f=o(e.animations),g=o(e.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),d.length>0&&(n.skeletons=d),f.length>0&&(n.animations=f),g.length>0&&(n.nodes=g)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot!==null?e.pivot.clone():null,this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let n=0;n<e.children.length;n++){let s=e.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};an.DEFAULT_UP=new k(0,1,0);an.DEFAULT_MATRIX_AUTO_UPDATE=!0;an.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var bt=class extends an{constructor(){super(),this.isGroup=!0,this.type="Group"}},_x={type:"move"},ro=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new bt,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new bt,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new k,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new k),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new bt,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new k,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new k,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:"connected",data:e}),this}disconnect(e){return this.dispatchEvent({type:"disconnected",data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(e&&t.session.visibilityState!=="visible-blurred"){if(c&&e.hand){o=!0;for(let y of e.hand.values()){let m=t.getJointPose(y,n),p=this._getHandJoint(c,y);m!==null&&(p.matrix.fromArray(m.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=m.radius),p.visible=m!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],d=h.position.distanceTo(u.position),f=.02,g=.005;c.inputState.pinching&&d>f+g?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:e.handedness,target:this})):!c.inputState.pinching&&d<=f-g&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:e.handedness,target:this}))}else l!==null&&e.gripSpace&&(r=t.getPose(e.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:e,target:this})));a!==null&&(s=t.getPose(e.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(_x)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new bt;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},Um={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Os={h:0,s:0,l:0},cl={h:0,s:0,l:0};function Ru(i,e,t){return t<0&&(t+=1),t>1&&(t-=1),t<1/6?i+(e-i)*6*t:t<1/2?e:t<2/3?i+(e-i)*6*(2/3-t):i}var Be=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let s=e;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=nn){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,yt.colorSpaceToWorking(this,t),this}setRGB(e,t,n,s=yt.workingColorSpace){return this.r=e,this.g=t,this.b=n,yt.colorSpaceToWorking(this,s),this}setHSL(e,t,n,s=yt.workingColorSpace){if(e=Ed(e,1),t=gt(t,0,1),n=gt(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,o=2*n-r;this.r=Ru(o,r,e+1/3),this.g=Ru(o,r,e),this.b=Ru(o,r,e-1/3)}return yt.colorSpaceToWorking(this,s),this}setStyle(e,t=nn){function n(r){r!==void 0&&parseFloat(r)<1&&$e("Color: Alpha component of "+e+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(e)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,t);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,t);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,t);break;default:$e("Color: Unknown color model "+e)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(e)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,t);if(o===6)return this.setHex(parseInt(r,16),t);$e("Color: Invalid hex color "+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=nn){let n=Um[e.toLowerCase()];return n!==void 0?this.setHex(n,t):$e("Color: Unknown color "+e),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=vs(e.r),this.g=vs(e.g),this.b=vs(e.b),this}copyLinearToSRGB(e){return this.r=Kr(e.r),this.g=Kr(e.g),this.b=Kr(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=nn){return yt.workingToColorSpace(On.copy(this),e),Math.round(gt(On.r*255,0,255))*65536+Math.round(gt(On.g*255,0,255))*256+Math.round(gt(On.b*255,0,255))}getHexString(e=nn){return("000000"+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=yt.workingColorSpace){yt.workingToColorSpace(On.copy(this),t);let n=On.r,s=On.g,r=On.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return e.h=l,e.s=c,e.l=h,e}getRGB(e,t=yt.workingColorSpace){return yt.workingToColorSpace(On.copy(this),t),e.r=On.r,e.g=On.g,e.b=On.b,e}getStyle(e=nn){yt.workingToColorSpace(On.copy(this),e);let t=On.r,n=On.g,s=On.b;return e!==nn?`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(e,t,n){return this.getHSL(Os),this.setHSL(Os.h+e,Os.s+t,Os.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(Os),e.getHSL(cl);let n=Qo(Os.h,cl.h,t),s=Qo(Os.s,cl.s,t),r=Qo(Os.l,cl.l,t);return this.setHSL(n,s,r),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,s=this.b,r=e.elements;return this.r=r[0]*t+r[3]*n+r[6]*s,this.g=r[1]*t+r[4]*n+r[7]*s,this.b=r[2]*t+r[5]*n+r[8]*s,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},On=new Be;Be.NAMES=Um;var oa=class i{constructor(e,t=25e-5){this.isFogExp2=!0,this.name="",this.color=new Be(e),this.density=t}clone(){return new i(this.color,this.density)}toJSON(){return{type:"FogExp2",name:this.name,color:this.color.getHex(),density:this.density}}};var aa=class extends an{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Qi,this.environmentIntensity=1,this.environmentRotation=new Qi,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background!==null?e.background.clone():null,this.environment=e.environment!==null?e.environment.clone():null,this.fog=e.fog!==null?e.fog.clone():null,this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial!==null?e.overrideMaterial.clone():null,this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},Pi=new k,ds=new k,Cu=new k,fs=new k,Or=new k,kr=new k,Rp=new k,Pu=new k,Iu=new k,Lu=new k,Nu=new Zt,Du=new Zt,Uu=new Zt,gs=class i{constructor(e=new k,t=new k,n=new k){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,s){s.subVectors(n,t),Pi.subVectors(e,t),s.cross(Pi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(e,t,n,s,r){Pi.subVectors(s,t),ds.subVectors(n,t),Cu.subVectors(e,t);let o=Pi.dot(Pi),a=Pi.dot(ds),l=Pi.dot(Cu),c=ds.dot(ds),h=ds.dot(Cu),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let d=1/u,f=(c*l-a*h)*d,g=(o*h-a*l)*d;return r.set(1-f-g,g,f)}static containsPoint(e,t,n,s){return this.getBarycoord(e,t,n,s,fs)===null?!1:fs.x>=0&&fs.y>=0&&fs.x+fs.y<=1}static getInterpolation(e,t,n,s,r,o,a,l){return this.getBarycoord(e,t,n,s,fs)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,fs.x),l.addScaledVector(o,fs.y),l.addScaledVector(a,fs.z),l)}static getInterpolatedAttribute(e,t,n,s,r,o){return Nu.setScalar(0),Du.setScalar(0),Uu.setScalar(0),Nu.fromBufferAttribute(e,t),Du.fromBufferAttribute(e,n),Uu.fromBufferAttribute(e,s),o.setScalar(0),o.addScaledVector(Nu,r.x),o.addScaledVector(Du,r.y),o.addScaledVector(Uu,r.z),o}static isFrontFacing(e,t,n,s){return Pi.subVectors(n,t),ds.subVectors(e,t),Pi.cross(ds).dot(s)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,s){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[s]),this}setFromAttributeAndIndices(e,t,n,s){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,s),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return Pi.subVectors(this.c,this.b),ds.subVectors(this.a,this.b),Pi.cross(ds).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(e){return i.getNormal(this.a,this.b,this.c,e)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(e,t){return i.getBarycoord(e,this.a,this.b,this.c,t)}getInterpolation(e,t,n,s,r){return i.getInterpolation(e,this.a,this.b,this.c,t,n,s,r)}containsPoint(e){return i.containsPoint(e,this.a,this.b,this.c)}isFrontFacing(e){return i.isFrontFacing(this.a,this.b,this.c,e)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,s=this.b,r=this.c,o,a;Or.subVectors(s,n),kr.subVectors(r,n),Pu.subVectors(e,n);let l=Or.dot(Pu),c=kr.dot(Pu);if(l<=0&&c<=0)return t.copy(n);Iu.subVectors(e,s);let h=Or.dot(Iu),u=kr.dot(Iu);if(h>=0&&u<=h)return t.copy(s);let d=l*u-h*c;if(d<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),t.copy(n).addScaledVector(Or,o);Lu.subVectors(e,r);let f=Or.dot(Lu),g=kr.dot(Lu);if(g>=0&&f<=g)return t.copy(r);let y=f*c-l*g;if(y<=0&&c>=0&&g<=0)return a=c/(c-g),t.copy(n).addScaledVector(kr,a);let m=h*g-f*u;if(m<=0&&u-h>=0&&f-g>=0)return Rp.subVectors(r,s),a=(u-h)/(u-h+(f-g)),t.copy(s).addScaledVector(Rp,a);let p=1/(m+y+d);return o=y*p,a=d*p,t.copy(n).addScaledVector(Or,o).addScaledVector(kr,a)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},qn=class{constructor(e=new k(1/0,1/0,1/0),t=new k(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(Ii.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(Ii.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=Ii.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute("position");if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)e.isMesh===!0?e.getVertexPosition(o,Ii):Ii.fromBufferAttribute(r,o),Ii.applyMatrix4(e.matrixWorld),this.expandByPoint(Ii);else e.boundingBox!==void 0?(e.boundingBox===null&&e.computeBoundingBox(),hl.copy(e.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),hl.copy(n.boundingBox)),hl.applyMatrix4(e.matrixWorld),this.union(hl)}let s=e.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,Ii),Ii.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(Vo),ul.subVectors(this.max,Vo),Br.subVectors(e.a,Vo),zr.subVectors(e.b,Vo),Hr.subVectors(e.c,Vo),ks.subVectors(zr,Br),Bs.subVectors(Hr,zr),nr.subVectors(Br,Hr);let t=[0,-ks.z,ks.y,0,-Bs.z,Bs.y,0,-nr.z,nr.y,ks.z,0,-ks.x,Bs.z,0,-Bs.x,nr.z,0,-nr.x,-ks.y,ks.x,0,-Bs.y,Bs.x,0,-nr.y,nr.x,0];return!Fu(t,Br,zr,Hr,ul)||(t=[1,0,0,0,1,0,0,0,1],!Fu(t,Br,zr,Hr,ul))?!1:(dl.crossVectors(ks,Bs),t=[dl.x,dl.y,dl.z],Fu(t,Br,zr,Hr,ul))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,Ii).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(Ii).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()?this:(ps[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),ps[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),ps[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),ps[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),ps[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),ps[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),ps[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),ps[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(ps),this)}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},ps=[new k,new k,new k,new k,new k,new k,new k,new k],Ii=new k,hl=new qn,Br=new k,zr=new k,Hr=new k,ks=new k,Bs=new k,nr=new k,Vo=new k,ul=new k,dl=new k,ir=new k;function Fu(i,e,t,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){ir.fromArray(i,r);let a=s.x*Math.abs(ir.x)+s.y*Math.abs(ir.y)+s.z*Math.abs(ir.z),l=e.dot(ir),c=t.dot(ir),h=n.dot(ir);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var pn=new k,fl=new We,bx=0,at=class extends ji{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:bx++}),this.name="",this.array=e,this.itemSize=t,this.count=e!==void 0?e.length/t:0,this.normalized=n,this.usage=Sd,this.updateRanges=[],this.gpuType=_i,this.version=0,this._normalizationScale=e!==void 0?eh(e):void 0}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[e+s]=t.array[n+s];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)fl.fromBufferAttribute(this,t),fl.applyMatrix3(e),this.setXY(t,fl.x,fl.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.applyMatrix3(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.applyMatrix4(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.applyNormalMatrix(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.transformDirection(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,s){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this.array[e+3]=r,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):Ad(e,this.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):Rd(e,this.array)}};var la=class extends at{constructor(e,t,n){super(new Uint16Array(e),t,n)}};var ca=class extends at{constructor(e,t,n){super(new Uint32Array(e),t,n)}};var Tt=class extends at{constructor(e,t,n){super(new Float32Array(e),t,n)}},Mx=new qn,Go=new k,Ou=new k,vi=class{constructor(e=new k,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t!==void 0?n.copy(t):Mx.setFromPoints(e).getCenter(n);let s=0;for(let r=0,o=e.length;r<o;r++)s=Math.max(s,n.distanceToSquared(e[r]));return this.radius=Math.sqrt(s),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius=this.radius*e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Go.subVectors(e,this.center);let t=Go.lengthSq();if(t>this.radius*this.radius){let n=Math.sqrt(t),s=(n-this.radius)*.5;this.center.addScaledVector(Go,s/n),this.radius+=s}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Ou.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Go.copy(e.center).add(Ou)),this.expandByPoint(Go.copy(e.center).sub(Ou))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},Sx=0,mi=new lt,ku=new an,Vr=new k,ii=new qn,Wo=new qn,Rn=new k,vt=class i extends ji{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Sx++}),this.uuid=$s(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return Array.isArray(e)?this.index=new($v(e)?ca:la)(e,1):this.index=e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new tt().getNormalMatrix(e);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(e),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return mi.makeRotationFromQuaternion(e),this.applyMatrix4(mi),this}rotateX(e){return mi.makeRotationX(e),this.applyMatrix4(mi),this}rotateY(e){return mi.makeRotationY(e),this.applyMatrix4(mi),this}rotateZ(e){return mi.makeRotationZ(e),this.applyMatrix4(mi),this}translate(e,t,n){return mi.makeTranslation(e,t,n),this.applyMatrix4(mi),this}scale(e,t,n){return mi.makeScale(e,t,n),this.applyMatrix4(mi),this}lookAt(e){return ku.lookAt(e),ku.updateMatrix(),this.applyMatrix4(ku.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Vr).negate(),this.translate(Vr.x,Vr.y,Vr.z),this}setFromPoints(e){let t=this.getAttribute("position");if(t===void 0){let n=[];for(let s=0,r=e.length;s<r;s++){let o=e[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new Tt(n,3))}else{let n=Math.min(e.length,t.count);for(let s=0;s<n;s++){let r=e[s];t.setXYZ(s,r.x,r.y,r.z||0)}e.length>t.count&&$e("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new qn);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Ke("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new k(-1/0,-1/0,-1/0),new k(1/0,1/0,1/0));return}if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let n=0,s=t.length;n<s;n++){let r=t[n];ii.setFromBufferAttribute(r),this.morphTargetsRelative?(Rn.addVectors(this.boundingBox.min,ii.min),this.boundingBox.expandByPoint(Rn),Rn.addVectors(this.boundingBox.max,ii.max),this.boundingBox.expandByPoint(Rn)):(this.boundingBox.expandByPoint(ii.min),this.boundingBox.expandByPoint(ii.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Ke('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new vi);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Ke("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new k,1/0);return}if(e){let n=this.boundingSphere.center;if(ii.setFromBufferAttribute(e),t)for(let r=0,o=t.length;r<o;r++){let a=t[r];Wo.setFromBufferAttribute(a),this.morphTargetsRelative?(Rn.addVectors(ii.min,Wo.min),ii.expandByPoint(Rn),Rn.addVectors(ii.max,Wo.max),ii.expandByPoint(Rn)):(ii.expandByPoint(Wo.min),ii.expandByPoint(Wo.max))}ii.getCenter(n);let s=0;for(let r=0,o=e.count;r<o;r++)Rn.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(Rn));if(t)for(let r=0,o=t.length;r<o;r++){let a=t[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Rn.fromBufferAttribute(a,c),l&&(Vr.fromBufferAttribute(e,c),Rn.add(Vr)),s=Math.max(s,n.distanceToSquared(Rn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&Ke('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){Ke("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=t.position,s=t.normal,r=t.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new at(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let O=0;O<n.count;O++)a[O]=new k,l[O]=new k;let h=new k,u=new k,d=new k,f=new We,g=new We,y=new We,m=new k,p=new k;function _(O,I,L){c[O]=c[I]=c[L]=1,h.fromBufferAttribute(n,O),u.fromBufferAttribute(n,I),d.fromBufferAttribute(n,L),f.fromBufferAttribute(r,O),g.fromBufferAttribute(r,I),y.fromBufferAttribute(r,L),u.sub(h),d.sub(h),g.sub(f),y.sub(f);let z=1/(g.x*y.y-y.x*g.y);isFinite(z)&&(m.copy(u).multiplyScalar(y.y).addScaledVector(d,-g.y).multiplyScalar(z),p.copy(d).multiplyScalar(g.x).addScaledVector(u,-y.x).multiplyScalar(z),a[O].add(m),a[I].add(m),a[L].add(m),l[O].add(p),l[I].add(p),l[L].add(p))}let A=this.groups;A.length===0&&(A=[{start:0,count:e.count}]);for(let O=0,I=A.length;O<I;++O){let L=A[O],z=L.start,H=L.count;for(let D=z,W=z+H;D<W;D+=3)_(e.getX(D+0),e.getX(D+1),e.getX(D+2))}let M=new k,C=new k,T=new k,x=new k;function E(O){T.fromBufferAttribute(s,O),x.copy(T);let I=a[O];M.copy(I),M.sub(T.multiplyScalar(T.dot(I))).normalize(),C.crossVectors(x,I);let z=C.dot(l[O])<0?-1:1;o.setXYZW(O,M.x,M.y,M.z,z)}for(let O=0,I=n.count;O<I;++O)c[O]&&E(O);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute("position");if(t!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==t.count)n=new at(new Float32Array(t.count*3),3),this.setAttribute("normal",n);else for(let d=0,f=n.count;d<f;d++)n.setXYZ(d,0,0,0);let s=new k,r=new k,o=new k,a=new k,l=new k,c=new k,h=new k,u=new k;if(e)for(let d=0,f=e.count;d<f;d+=3){let g=e.getX(d+0),y=e.getX(d+1),m=e.getX(d+2);s.fromBufferAttribute(t,g),r.fromBufferAttribute(t,y),o.fromBufferAttribute(t,m),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,g),l.fromBufferAttribute(n,y),c.fromBufferAttribute(n,m),a.add(h),l.add(h),c.add(h),n.setXYZ(g,a.x,a.y,a.z),n.setXYZ(y,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let d=0,f=t.count;d<f;d+=3)s.fromBufferAttribute(t,d+0),r.fromBufferAttribute(t,d+1),o.fromBufferAttribute(t,d+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(d+0,h.x,h.y,h.z),n.setXYZ(d+1,h.x,h.y,h.z),n.setXYZ(d+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)Rn.fromBufferAttribute(e,t),Rn.normalize(),e.setXYZ(t,Rn.x,Rn.y,Rn.z)}toNonIndexed(){function e(a,l){let c=a.array,h=a.itemSize,u=a.normalized,d=new c.constructor(l.length*h),f=0,g=0;for(let y=0,m=l.length;y<m;y++){a.isInterleavedBufferAttribute?f=l[y]*a.data.stride+a.offset:f=l[y]*h;for(let p=0;p<h;p++)d[g++]=c[f++]}return new at(d,h,u)}if(this.index===null)return $e("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let t=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=e(l,n);t.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let d=c[h],f=e(d,n);l.push(f)}t.morphAttributes[a]=l}t.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];t.addGroup(c.start,c.count,c.materialIndex)}return t}toJSON(){let e={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(e[c]=l[c]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let l in n){let c=n[l];e.data.attributes[l]=c.toJSON(e.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,d=c.length;u<d;u++){let f=c[u];h.push(f.toJSON(e.data))}h.length>0&&(s[l]=h,r=!0)}r&&(e.data.morphAttributes=s,e.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(e.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(e.data.boundingSphere=a.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let s=e.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(t))}let r=e.morphAttributes;for(let c in r){let h=[],u=r[c];for(let d=0,f=u.length;d<f;d++)h.push(u[d].clone(t));this.morphAttributes[c]=h}this.morphTargetsRelative=e.morphTargetsRelative;let o=e.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=e.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=e.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},Zl=class{constructor(e,t){this.isInterleavedBuffer=!0,this.array=e,this.stride=t,this.count=e!==void 0?e.length/t:0,this.usage=Sd,this.updateRanges=[],this.version=0,this.uuid=$s()}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.array=new e.array.constructor(e.array),this.count=e.count,this.stride=e.stride,this.usage=e.usage,this}copyAt(e,t,n){e*=this.stride,n*=t.stride;for(let s=0,r=this.stride;s<r;s++)this.array[e+s]=t.array[n+s];return this}set(e,t=0){return this.array.set(e,t),this}clone(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=Cp(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=this.array.slice(0).buffer);let n=new this.array.constructor(e.arrayBuffers[t]),s=new this.constructor(n,this.stride);return s.setUsage(this.usage),s}onUpload(e){return this.onUploadCallback=e,this}toJSON(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=Cp(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:t,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function Cp(i){return i.buffer._uuid===void 0&&(i.buffer._uuid=$s()),i.byteOffset===0&&i.byteLength===i.buffer.byteLength?i.buffer._uuid:i.buffer._uuid+":"+i.byteOffset+":"+i.byteLength}var Wn=new k,ha=class i{constructor(e,t,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=e,this.itemSize=t,this.offset=n,this.normalized=s,this._normalizationScale=e!==void 0?eh(e.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(e){this.data.needsUpdate=e}applyMatrix4(e){for(let t=0,n=this.data.count;t<n;t++)Wn.fromBufferAttribute(this,t),Wn.applyMatrix4(e),this.setXYZ(t,Wn.x,Wn.y,Wn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Wn.fromBufferAttribute(this,t),Wn.applyNormalMatrix(e),this.setXYZ(t,Wn.x,Wn.y,Wn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Wn.fromBufferAttribute(this,t),Wn.transformDirection(e),this.setXYZ(t,Wn.x,Wn.y,Wn.z);return this}getComponent(e,t){let n=this.array[e*this.data.stride+this.offset+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.data.array[e*this.data.stride+this.offset+t]=n,this}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset]=t,this}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+1]=t,this}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+2]=t,this}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+3]=t,this}getX(e){let t=this.data.array[e*this.data.stride+this.offset];return this.normalized&&(t=this._denormalize(t)),t}getY(e){let t=this.data.array[e*this.data.stride+this.offset+1];return this.normalized&&(t=this._denormalize(t)),t}getZ(e){let t=this.data.array[e*this.data.stride+this.offset+2];return this.normalized&&(t=this._denormalize(t)),t}getW(e){let t=this.data.array[e*this.data.stride+this.offset+3];return this.normalized&&(t=this._denormalize(t)),t}setXY(e,t,n){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.data.array[e+0]=t,this.data.array[e+1]=n,this}setXYZ(e,t,n,s){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this.data.array[e+3]=r,this}clone(e){if(e===void 0){sa("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return new at(new this.array.constructor(t),this.itemSize,this.normalized)}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.clone(e)),new i(e.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(e){if(e===void 0){sa("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:t,normalized:this.normalized}}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.toJSON(e)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):Ad(e,this.data.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):Rd(e,this.data.array)}},Bu=new k,wx=new k,Ex=new tt,si=class{constructor(e=new k(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,s){return this.normal.set(e,t,n),this.constant=s,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let s=Bu.subVectors(n,t).cross(wx.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(s,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let s=e.delta(Bu),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let o=-(e.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:t.copy(e.start).addScaledVector(s,o)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||Ex.getNormalMatrix(e),s=this.coplanarPoint(Bu).applyMatrix4(e),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},Tx=0,oi=class extends ji{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Tx++}),this.uuid=$s(),this.name="",this.type="Material",this.blending=ho,this.side=es,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=rd,this.blendDst=od,this.blendEquation=ur,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Be(0,0,0),this.blendAlpha=0,this.depthFunc=jr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=Em,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Fl,this.stencilZFail=Fl,this.stencilZPass=Fl,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){$e(`Material: parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){$e(`Material: '${t}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(t){let r=s(e.textures),o=s(e.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new Be().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(n=>new si().fromJSON(n))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(typeof e.vertexColors=="number"?this.vertexColors=e.vertexColors>0:this.vertexColors=e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let n=e.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new We().fromArray(n)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new We().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let s=t.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(e){e===!0&&this.version++}},oo=class extends oi{constructor(e){super(),this.isSpriteMaterial=!0,this.type="SpriteMaterial",this.color=new Be(16777215),this.map=null,this.alphaMap=null,this.rotation=0,this.sizeAttenuation=!0,this.transparent=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.rotation=e.rotation,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},Gr,Xo=new k,Wr=new k,Xr=new k,qr=new We,qo=new We,Fm=new lt,pl=new k,Yo=new k,ml=new k,Pp=new We,zu=new We,Ip=new We,ua=class extends an{constructor(e=new oo){if(super(),this.isSprite=!0,this.type="Sprite",Gr===void 0){Gr=new vt;let t=new Float32Array([-.5,-.5,0,0,0,.5,-.5,0,1,0,.5,.5,0,1,1,-.5,.5,0,0,1]),n=new Zl(t,5);Gr.setIndex([0,1,2,0,2,3]),Gr.setAttribute("position",new ha(n,3,0,!1)),Gr.setAttribute("uv",new ha(n,2,3,!1))}this.geometry=Gr,this.material=e,this.center=new We(.5,.5),this.count=1}intersectsFrustum(e){return e.intersectsSprite(this)}raycast(e,t){e.camera===null&&Ke('Sprite: "Raycaster.camera" needs to be set in order to raycast against sprites.'),Wr.setFromMatrixScale(this.matrixWorld),Fm.copy(e.camera.matrixWorld),this.modelViewMatrix.multiplyMatrices(e.camera.matrixWorldInverse,this.matrixWorld),Xr.setFromMatrixPosition(this.modelViewMatrix),e.camera.isPerspectiveCamera&&this.material.sizeAttenuation===!1&&Wr.multiplyScalar(-Xr.z);let n=this.material.rotation,s,r;n!==0&&(r=Math.cos(n),s=Math.sin(n));let o=this.center;gl(pl.set(-.5,-.5,0),Xr,o,Wr,s,r),gl(Yo.set(.5,-.5,0),Xr,o,Wr,s,r),gl(ml.set(.5,.5,0),Xr,o,Wr,s,r),Pp.set(0,0),zu.set(1,0),Ip.set(1,1);let a=e.ray.intersectTriangle(pl,Yo,ml,!1,Xo);if(a===null&&(gl(Yo.set(-.5,.5,0),Xr,o,Wr,s,r),zu.set(0,1),a=e.ray.intersectTriangle(pl,ml,Yo,!1,Xo),a===null))return;let l=e.ray.origin.distanceTo(Xo);l<e.near||l>e.far||t.push({distance:l,point:Xo.clone(),uv:gs.getInterpolation(Xo,pl,Yo,ml,Pp,zu,Ip,new We),face:null,object:this})}copy(e,t){return super.copy(e,t),e.center!==void 0&&this.center.copy(e.center),this.material=e.material,this}toJSON(e){let t=super.toJSON(e);return t.object.center=this.center.toArray(),t}};function gl(i,e,t,n,s,r){qr.subVectors(i,t).addScalar(.5).multiply(n),s!==void 0?(qo.x=r*qr.x-s*qr.y,qo.y=s*qr.x+r*qr.y):qo.copy(qr),i.copy(e),i.x+=qo.x,i.y+=qo.y,i.applyMatrix4(Fm)}var ms=new k,Hu=new k,vl=new k,xl=new k,or=class{constructor(e=new k,t=new k(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,ms)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=ms.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(ms.copy(this.origin).addScaledVector(this.direction,t),ms.distanceToSquared(e))}distanceSqToSegment(e,t,n,s){Hu.copy(e).add(t).multiplyScalar(.5),vl.copy(t).sub(e).normalize(),xl.copy(this.origin).sub(Hu);let r=e.distanceTo(t)*.5,o=-this.direction.dot(vl),a=xl.dot(this.direction),l=-xl.dot(vl),c=xl.lengthSq(),h=Math.abs(1-o*o),u,d,f,g;if(h>0)if(u=o*l-a,d=o*a-l,g=r*h,u>=0)if(d>=-g)if(d<=g){let y=1/h;u*=y,d*=y,f=u*(u+o*d+2*a)+d*(o*u+d+2*l)+c}else d=r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d=-r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d<=-g?(u=Math.max(0,-(-o*r+a)),d=u>0?-r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c):d<=g?(u=0,d=Math.min(Math.max(-r,-l),r),f=d*(d+2*l)+c):(u=Math.max(0,-(o*r+a)),d=u>0?r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c);else d=o>0?-r:r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(Hu).addScaledVector(vl,d),f}intersectSphere(e,t){if(e.radius<0)return null;ms.subVectors(e.center,this.origin);let n=ms.dot(this.direction),s=ms.dot(ms)-n*n,r=e.radius*e.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,t):this.at(a,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,s=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,s=(e.min.x-d.x)*c),h>=0?(r=(e.min.y-d.y)*h,o=(e.max.y-d.y)*h):(r=(e.max.y-d.y)*h,o=(e.min.y-d.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(e.min.z-d.z)*u,l=(e.max.z-d.z)*u):(a=(e.max.z-d.z)*u,l=(e.min.z-d.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,t)}intersectsBox(e){return this.intersectBox(e,ms)!==null}intersectTriangle(e,t,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=e.x-o.x,d=e.y-o.y,f=e.z-o.z,g=t.x-o.x,y=t.y-o.y,m=t.z-o.z,p=n.x-o.x,_=n.y-o.y,A=n.z-o.z,M=Math.abs(l),C=Math.abs(c),T=Math.abs(h),x,E,O,I,L,z,H,D,W,Y,G,ce;if(M>=C&&M>=T?(O=l,z=u,W=g,ce=p,l>=0?(x=c,E=h,I=d,L=f,H=y,D=m,Y=_,G=A):(x=h,E=c,I=f,L=d,H=m,D=y,Y=A,G=_)):C>=T?(O=c,z=d,W=y,ce=_,c>=0?(x=h,E=l,I=f,L=u,H=m,D=g,Y=A,G=p):(x=l,E=h,I=u,L=f,H=g,D=m,Y=p,G=A)):(O=h,z=f,W=m,ce=A,h>=0?(x=l,E=c,I=u,L=d,H=g,D=y,Y=p,G=_):(x=c,E=l,I=d,L=u,H=y,D=g,Y=_,G=p)),O===0)return null;let J=x/O,Q=E/O,se=1/O,de=I-J*z,ue=L-Q*z,ee=H-J*W,me=D-Q*W,xe=Y-J*ce,Ae=G-Q*ce,Me=xe*me-Ae*ee,Xe=de*Ae-ue*xe,st=ee*ue-me*de;if(s){if(Me<0||Xe<0||st<0)return null}else if((Me<0||Xe<0||st<0)&&(Me>0||Xe>0||st>0))return null;let Ve=Me+Xe+st;if(Ve===0)return null;let dt=se*(Me*z+Xe*W+st*ce);return(Ve>0?dt<0:dt>0)?null:this.at(dt/Ve,r)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},ai=class extends oi{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Be(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Qi,this.combine=pc,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},Lp=new lt,sr=new or,yl=new vi,Np=new k,_l=new k,bl=new k,Ml=new k,Vu=new k,Sl=new k,Dp=new k,wl=new k,At=class extends an{constructor(e=new vt,t=new ai){super(),this.isMesh=!0,this.type="Mesh",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(e,t){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;t.fromBufferAttribute(s,e);let a=this.morphTargetInfluences;if(r&&a){Sl.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(Vu.fromBufferAttribute(u,e),o?Sl.addScaledVector(Vu,h):Sl.addScaledVector(Vu.sub(t),h))}t.add(Sl)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),yl.copy(n.boundingSphere),yl.applyMatrix4(r),sr.copy(e.ray).recast(e.near),!(yl.containsPoint(sr.origin)===!1&&(sr.intersectSphere(yl,Np)===null||sr.origin.distanceToSquared(Np)>(e.far-e.near)**2))&&(Lp.copy(r).invert(),sr.copy(e.ray).applyMatrix4(Lp),!(n.boundingBox!==null&&sr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(e,t,sr)))}_computeIntersections(e,t,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,d=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let g=0,y=d.length;g<y;g++){let m=d[g],p=o[m.materialIndex],_=Math.max(m.start,f.start),A=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let M=_,C=A;M<C;M+=3){let T=a.getX(M),x=a.getX(M+1),E=a.getX(M+2);s=El(this,p,e,n,c,h,u,T,x,E),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let g=Math.max(0,f.start),y=Math.min(a.count,f.start+f.count);for(let m=g,p=y;m<p;m+=3){let _=a.getX(m),A=a.getX(m+1),M=a.getX(m+2);s=El(this,o,e,n,c,h,u,_,A,M),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let g=0,y=d.length;g<y;g++){let m=d[g],p=o[m.materialIndex],_=Math.max(m.start,f.start),A=Math.min(l.count,Math.min(m.start+m.count,f.start+f.count));for(let M=_,C=A;M<C;M+=3){let T=M,x=M+1,E=M+2;s=El(this,p,e,n,c,h,u,T,x,E),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let g=Math.max(0,f.start),y=Math.min(l.count,f.start+f.count);for(let m=g,p=y;m<p;m+=3){let _=m,A=m+1,M=m+2;s=El(this,o,e,n,c,h,u,_,A,M),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}}};function Ax(i,e,t,n,s,r,o,a){let l;if(e.side===Nn?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,e.side===es,a),l===null)return null;wl.copy(a),wl.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(wl);return c<t.near||c>t.far?null:{distance:c,point:wl.clone(),object:i}}function El(i,e,t,n,s,r,o,a,l,c){i.getVertexPosition(a,_l),i.getVertexPosition(l,bl),i.getVertexPosition(c,Ml);let h=Ax(i,e,t,n,_l,bl,Ml,Dp);if(h){let u=new k;gs.getBarycoord(Dp,_l,bl,Ml,u),s&&(h.uv=gs.getInterpolatedAttribute(s,a,l,c,u,new We)),r&&(h.uv1=gs.getInterpolatedAttribute(r,a,l,c,u,new We)),o&&(h.normal=gs.getInterpolatedAttribute(o,a,l,c,u,new k),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let d={a,b:l,c,normal:new k,materialIndex:0};gs.getNormal(_l,bl,Ml,d.normal),h.face=d,h.barycoord=u}return h}var Li=class extends Xn{constructor(e=null,t=1,n=1,s,r,o,a,l,c=mn,h=mn,u,d){super(null,o,a,l,c,h,s,r,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var da=class extends at{constructor(e,t,n,s=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}},Yr=new lt,Up=new lt,Tl=[],Fp=new qn,Rx=new lt,$o=new At,Zo=new vi,ys=class extends At{constructor(e,t,n){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new da(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,Rx)}computeBoundingBox(){let e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new qn),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Yr),Fp.copy(e.boundingBox).applyMatrix4(Yr),this.boundingBox.union(Fp)}computeBoundingSphere(){let e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new vi),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Yr),Zo.copy(e.boundingSphere).applyMatrix4(Yr),this.boundingSphere.union(Zo)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture!==null?e.morphTexture.clone():null,this.instanceColor=e.instanceColor!==null?e.instanceColor.clone():null,this.count=e.count,this.boundingBox=e.boundingBox!==null?e.boundingBox.clone():null,this.boundingSphere=e.boundingSphere!==null?e.boundingSphere.clone():null,this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){let n=t.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=e*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(e,t){let n=this.matrixWorld,s=this.count;if($o.geometry=this.geometry,$o.material=this.material,$o.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Zo.copy(this.boundingSphere),Zo.applyMatrix4(n),e.ray.intersectsSphere(Zo)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Yr),Up.multiplyMatrices(n,Yr),$o.matrixWorld=Up,$o.raycast(e,Tl);for(let o=0,a=Tl.length;o<a;o++){let l=Tl[o];l.instanceId=r,l.object=this,t.push(l)}Tl.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new da(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){let n=t.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new Li(new Float32Array(s*this.count),s,this.count,po,_i));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*e;return r[l]=a,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},rr=new vi,Cx=new We(.5,.5),Al=new k,Hs=class{constructor(e=new si,t=new si,n=new si,s=new si,r=new si,o=new si){this.planes=[e,t,n,s,r,o]}set(e,t,n,s,r,o){let a=this.planes;return a[0].copy(e),a[1].copy(t),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=gi,n=!1){let s=this.planes,r=e.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],d=r[6],f=r[7],g=r[8],y=r[9],m=r[10],p=r[11],_=r[12],A=r[13],M=r[14],C=r[15];if(s[0].setComponents(c-o,f-h,p-g,C-_).normalize(),s[1].setComponents(c+o,f+h,p+g,C+_).normalize(),s[2].setComponents(c+a,f+u,p+y,C+A).normalize(),s[3].setComponents(c-a,f-u,p-y,C-A).normalize(),n)s[4].setComponents(l,d,m,M).normalize(),s[5].setComponents(c-l,f-d,p-m,C-M).normalize();else if(s[4].setComponents(c-l,f-d,p-m,C-M).normalize(),t===gi)s[5].setComponents(c+l,f+d,p+m,C+M).normalize();else if(t===eo)s[5].setComponents(l,d,m,M).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),rr.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),rr.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(rr)}intersectsSprite(e){rr.center.set(0,0,0);let t=Cx.distanceTo(e.center);return rr.radius=.7071067811865476+t,rr.applyMatrix4(e.matrixWorld),this.intersectsSphere(rr)}intersectsSphere(e){let t=this.planes,n=e.center,s=-e.radius;for(let r=0;r<6;r++)if(t[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let s=t[n];if(Al.x=s.normal.x>0?e.max.x:e.min.x,Al.y=s.normal.y>0?e.max.y:e.min.y,Al.z=s.normal.z>0?e.max.z:e.min.z,s.distanceToPoint(Al)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Op=new lt,Jl=class i{constructor(){this.coordinateSystem=gi,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let s=0;s<t.length;s++){let r=t[s];Op.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Hs),n[s].setFromProjectionMatrix(Op,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let s=0;s<e._count;s++)t[s]===void 0&&(t[s]=new Hs),t[s].copy(n[s]);return this._count=e._count,this}clone(){return new i().copy(this)}};var $n=class extends oi{constructor(e){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Be(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}},Kl=new k,jl=new k,kp=new lt,Jo=new or,Rl=new vi,Gu=new k,Bp=new k,Ql=class extends an{constructor(e=new vt,t=new $n){super(),this.isLine=!0,this.type="Line",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[0];for(let s=1,r=t.count;s<r;s++)Kl.fromBufferAttribute(t,s-1),jl.fromBufferAttribute(t,s),n[s]=n[s-1],n[s]+=Kl.distanceTo(jl);e.setAttribute("lineDistance",new Tt(n,1))}else $e("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Rl.copy(n.boundingSphere),Rl.applyMatrix4(s),Rl.radius+=r,e.ray.intersectsSphere(Rl)===!1)return;kp.copy(s).invert(),Jo.copy(e.ray).applyMatrix4(kp);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,d=n.attributes.position;if(h!==null){let f=Math.max(0,o.start),g=Math.min(h.count,o.start+o.count);for(let y=f,m=g-1;y<m;y+=c){let p=h.getX(y),_=h.getX(y+1),A=Cl(this,e,Jo,l,p,_,y);A&&t.push(A)}if(this.isLineLoop){let y=h.getX(g-1),m=h.getX(f),p=Cl(this,e,Jo,l,y,m,g-1);p&&t.push(p)}}else{let f=Math.max(0,o.start),g=Math.min(d.count,o.start+o.count);for(let y=f,m=g-1;y<m;y+=c){let p=Cl(this,e,Jo,l,y,y+1,y);p&&t.push(p)}if(this.isLineLoop){let y=Cl(this,e,Jo,l,g-1,f,g-1);y&&t.push(y)}}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Cl(i,e,t,n,s,r,o){let a=i.geometry.attributes.position;if(Kl.fromBufferAttribute(a,s),jl.fromBufferAttribute(a,r),t.distanceSqToSegment(Kl,jl,Gu,Bp)>n)return;Gu.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Gu);if(!(c<e.near||c>e.far))return{distance:c,point:Bp.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var zp=new k,Hp=new k,Zn=class extends Ql{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[];for(let s=0,r=t.count;s<r;s+=2)zp.fromBufferAttribute(t,s),Hp.fromBufferAttribute(t,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+zp.distanceTo(Hp);e.setAttribute("lineDistance",new Tt(n,1))}else $e("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var _s=class extends oi{constructor(e){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new Be(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},Vp=new lt,Zu=new or,Pl=new vi,Il=new k,ar=class extends an{constructor(e=new vt,t=new _s){super(),this.isPoints=!0,this.type="Points",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Pl.copy(n.boundingSphere),Pl.applyMatrix4(s),Pl.radius+=r,e.ray.intersectsSphere(Pl)===!1)return;Vp.copy(s).invert(),Zu.copy(e.ray).applyMatrix4(Vp);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=n.index,u=n.attributes.position;if(c!==null){let d=Math.max(0,o.start),f=Math.min(c.count,o.start+o.count);for(let g=d,y=f;g<y;g++){let m=c.getX(g);Il.fromBufferAttribute(u,m),Gp(Il,m,l,s,e,t,this)}}else{let d=Math.max(0,o.start),f=Math.min(u.count,o.start+o.count);for(let g=d,y=f;g<y;g++)Il.fromBufferAttribute(u,g),Gp(Il,g,l,s,e,t,this)}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Gp(i,e,t,n,s,r,o){let a=Zu.distanceSqToPoint(i);if(a<t){let l=new k;Zu.closestPointToPoint(i,l),l.applyMatrix4(n);let c=s.ray.origin.distanceTo(l);if(c<s.near||c>s.far)return;r.push({distance:c,distanceToRay:Math.sqrt(a),point:l,index:e,face:null,faceIndex:null,barycoord:null,object:o})}}var fa=class extends Xn{constructor(e=[],t=dr,n,s,r,o,a,l,c,h){super(e,t,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},pa=class extends Xn{constructor(e,t,n,s,r,o,a,l,c){super(e,t,n,s,r,o,a,l,c),this.isCanvasTexture=!0,this.needsUpdate=!0}};var bs=class extends Xn{constructor(e,t,n=Ui,s,r,o,a=mn,l=mn,c,h=xs,u=1){if(h!==xs&&h!==Ms)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:e,height:t,depth:u};super(d,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new io(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},ma=class extends bs{constructor(e,t=Ui,n=dr,s,r,o=mn,a=mn,l,c=xs){let h={width:e,height:e,depth:1},u=[h,h,h,h,h,h];super(e,e,t,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},ga=class extends Xn{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},Vs=class i extends vt{constructor(e=1,t=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:e,height:t,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],d=0,f=0;g("z","y","x",-1,-1,n,t,e,o,r,0),g("z","y","x",1,-1,n,t,-e,o,r,1),g("x","z","y",1,1,e,n,t,s,o,2),g("x","z","y",1,-1,e,n,-t,s,o,3),g("x","y","z",1,-1,e,t,n,s,r,4),g("x","y","z",-1,-1,e,t,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new Tt(c,3)),this.setAttribute("normal",new Tt(h,3)),this.setAttribute("uv",new Tt(u,2));function g(y,m,p,_,A,M,C,T,x,E,O){let I=M/x,L=C/E,z=M/2,H=C/2,D=T/2,W=x+1,Y=E+1,G=0,ce=0,J=new k;for(let Q=0;Q<Y;Q++){let se=Q*L-H;for(let de=0;de<W;de++){let ue=de*I-z;J[y]=ue*_,J[m]=se*A,J[p]=D,c.push(J.x,J.y,J.z),J[y]=0,J[m]=0,J[p]=T>0?1:-1,h.push(J.x,J.y,J.z),u.push(de/x),u.push(1-Q/E),G+=1}}for(let Q=0;Q<E;Q++)for(let se=0;se<x;se++){let de=d+se+W*Q,ue=d+se+W*(Q+1),ee=d+(se+1)+W*(Q+1),me=d+(se+1)+W*Q;l.push(de,ue,me),l.push(ue,ee,me),ce+=6}a.addGroup(f,ce,O),f+=ce,d+=G}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.depth,e.widthSegments,e.heightSegments,e.depthSegments)}},va=class i extends vt{constructor(e=1,t=1,n=4,s=8,r=1){super(),this.type="CapsuleGeometry",this.parameters={radius:e,height:t,capSegments:n,radialSegments:s,heightSegments:r},t=Math.max(0,t),n=Math.max(1,Math.floor(n)),s=Math.max(3,Math.floor(s)),r=Math.max(1,Math.floor(r));let o=[],a=[],l=[],c=[],h=t/2,u=Math.PI/2*e,d=t,f=2*u+d,g=n*2+r,y=s+1,m=new k,p=new k;for(let _=0;_<=g;_++){let A=0,M=0,C=0,T=0;if(_<=n){let O=_/n,I=O*Math.PI/2;M=-h-e*Math.cos(I),C=e*Math.sin(I),T=-e*Math.cos(I),A=O*u}else if(_<=n+r){let O=(_-n)/r;M=-h+O*t,C=e,T=0,A=u+O*d}else{let O=(_-n-r)/n,I=O*Math.PI/2;M=h+e*Math.sin(I),C=e*Math.cos(I),T=e*Math.sin(I),A=u+d+O*u}let x=Math.max(0,Math.min(1,A/f)),E=0;_===0?E=.5/s:_===g&&(E=-.5/s);for(let O=0;O<=s;O++){let I=O/s,L=I*Math.PI*2,z=Math.sin(L),H=Math.cos(L);p.x=-C*H,p.y=M,p.z=C*z,a.push(p.x,p.y,p.z),m.set(-C*H,T,C*z),m.normalize(),l.push(m.x,m.y,m.z),c.push(I+E,x)}if(_>0){let O=(_-1)*y;for(let I=0;I<s;I++){let L=O+I,z=O+I+1,H=_*y+I,D=_*y+I+1;o.push(L,z,H),o.push(z,D,H)}}}this.setIndex(o),this.setAttribute("position",new Tt(a,3)),this.setAttribute("normal",new Tt(l,3)),this.setAttribute("uv",new Tt(c,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.radius,e.height,e.capSegments,e.radialSegments,e.heightSegments)}},xa=class i extends vt{constructor(e=1,t=32,n=0,s=Math.PI*2){super(),this.type="CircleGeometry",this.parameters={radius:e,segments:t,thetaStart:n,thetaLength:s},t=Math.max(3,t);let r=[],o=[],a=[],l=[],c=new k,h=new We;o.push(0,0,0),a.push(0,0,1),l.push(.5,.5);for(let u=0,d=3;u<=t;u++,d+=3){let f=n+u/t*s;c.x=e*Math.cos(f),c.y=e*Math.sin(f),o.push(c.x,c.y,c.z),a.push(0,0,1),h.x=(o[d]/e+1)/2,h.y=(o[d+1]/e+1)/2,l.push(h.x,h.y)}for(let u=1;u<=t;u++)r.push(u,u+1,0);this.setIndex(r),this.setAttribute("position",new Tt(o,3)),this.setAttribute("normal",new Tt(a,3)),this.setAttribute("uv",new Tt(l,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.radius,e.segments,e.thetaStart,e.thetaLength)}},Gs=class i extends vt{constructor(e=1,t=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:e,radiusBottom:t,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],d=[],f=[],g=0,y=[],m=n/2,p=0;_(),o===!1&&(e>0&&A(!0),t>0&&A(!1)),this.setIndex(h),this.setAttribute("position",new Tt(u,3)),this.setAttribute("normal",new Tt(d,3)),this.setAttribute("uv",new Tt(f,2));function _(){let M=new k,C=new k,T=0,x=(t-e)/n;for(let E=0;E<=r;E++){let O=[],I=E/r,L=I*(t-e)+e;for(let z=0;z<=s;z++){let H=z/s,D=H*l+a,W=Math.sin(D),Y=Math.cos(D);C.x=L*W,C.y=-I*n+m,C.z=L*Y,u.push(C.x,C.y,C.z),M.set(W,x,Y).normalize(),d.push(M.x,M.y,M.z),f.push(H,1-I),O.push(g++)}y.push(O)}for(let E=0;E<s;E++)for(let O=0;O<r;O++){let I=y[O][E],L=y[O+1][E],z=y[O+1][E+1],H=y[O][E+1];(e>0||O!==0)&&(h.push(I,L,H),T+=3),(t>0||O!==r-1)&&(h.push(L,z,H),T+=3)}c.addGroup(p,T,0),p+=T}function A(M){let C=g,T=new We,x=new k,E=0,O=M===!0?e:t,I=M===!0?1:-1;for(let z=1;z<=s;z++)u.push(0,m*I,0),d.push(0,I,0),f.push(.5,.5),g++;let L=g;for(let z=0;z<=s;z++){let D=z/s*l+a,W=Math.cos(D),Y=Math.sin(D);x.x=O*Y,x.y=m*I,x.z=O*W,u.push(x.x,x.y,x.z),d.push(0,I,0),T.x=W*.5+.5,T.y=Y*.5*I+.5,f.push(T.x,T.y),g++}for(let z=0;z<s;z++){let H=C+z,D=L+z;M===!0?h.push(D,D+1,H):h.push(D+1,D,H),E+=3}c.addGroup(p,E,M===!0?1:2),p+=E}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.radiusTop,e.radiusBottom,e.height,e.radialSegments,e.heightSegments,e.openEnded,e.thetaStart,e.thetaLength)}},ya=class i extends Gs{constructor(e=1,t=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,e,t,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:e,height:t,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(e){return new i(e.radius,e.height,e.radialSegments,e.heightSegments,e.openEnded,e.thetaStart,e.thetaLength)}};var _a=class i extends vt{constructor(e=[new We(0,-.5),new We(.5,0),new We(0,.5)],t=12,n=0,s=Math.PI*2){super(),this.type="LatheGeometry",this.parameters={points:e,segments:t,phiStart:n,phiLength:s},t=Math.floor(t),s=gt(s,0,Math.PI*2);let r=[],o=[],a=[],l=[],c=[],h=1/t,u=new k,d=new We,f=new k,g=new k,y=new k,m=0,p=0;for(let _=0;_<=e.length-1;_++)switch(_){case 0:m=e[_+1].x-e[_].x,p=e[_+1].y-e[_].y,f.x=p*1,f.y=-m,f.z=p*0,y.copy(f),f.normalize(),l.push(f.x,f.y,f.z);break;case e.length-1:y.normalize(),l.push(y.x,y.y,y.z);break;default:m=e[_+1].x-e[_].x,p=e[_+1].y-e[_].y,f.x=p*1,f.y=-m,f.z=p*0,g.copy(f),f.x+=y.x,f.y+=y.y,f.z+=y.z,f.normalize(),l.push(f.x,f.y,f.z),y.copy(g)}for(let _=0;_<=t;_++){let A=n+_*h*s,M=Math.sin(A),C=Math.cos(A);for(let T=0;T<=e.length-1;T++){u.x=e[T].x*M,u.y=e[T].y,u.z=e[T].x*C,o.push(u.x,u.y,u.z),d.x=_/t,d.y=T/(e.length-1),a.push(d.x,d.y);let x=l[3*T+0]*M,E=l[3*T+1],O=l[3*T+0]*C;c.push(x,E,O)}}for(let _=0;_<t;_++)for(let A=0;A<e.length-1;A++){let M=A+_*e.length,C=M,T=M+e.length,x=M+e.length+1,E=M+1;r.push(C,T,E),r.push(x,E,T)}this.setIndex(r),this.setAttribute("position",new Tt(o,3)),this.setAttribute("uv",new Tt(a,2)),this.setAttribute("normal",new Tt(c,3))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.points,e.segments,e.phiStart,e.phiLength)}};var Ni=class i extends vt{constructor(e=1,t=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:e,height:t,widthSegments:n,heightSegments:s};let r=e/2,o=t/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=e/a,d=t/l,f=[],g=[],y=[],m=[];for(let p=0;p<h;p++){let _=p*d-o;for(let A=0;A<c;A++){let M=A*u-r;g.push(M,-_,0),y.push(0,0,1),m.push(A/a),m.push(1-p/l)}}for(let p=0;p<l;p++)for(let _=0;_<a;_++){let A=_+c*p,M=_+c*(p+1),C=_+1+c*(p+1),T=_+1+c*p;f.push(A,M,T),f.push(M,C,T)}this.setIndex(f),this.setAttribute("position",new Tt(g,3)),this.setAttribute("normal",new Tt(y,3)),this.setAttribute("uv",new Tt(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.widthSegments,e.heightSegments)}};var xi=class i extends vt{constructor(e=1,t=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:e,widthSegments:t,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},t=Math.max(3,Math.floor(t)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new k,d=new k,f=[],g=[],y=[],m=[];for(let p=0;p<=n;p++){let _=[],A=p/n,M=o+A*a,C=e*Math.cos(M),T=Math.sqrt(e*e-C*C),x=0;p===0&&o===0?x=.5/t:p===n&&l===Math.PI&&(x=-.5/t);for(let E=0;E<=t;E++){let O=E/t,I=s+O*r;u.x=-T*Math.cos(I),u.y=C,u.z=T*Math.sin(I),g.push(u.x,u.y,u.z),d.copy(u).normalize(),y.push(d.x,d.y,d.z),m.push(O+x,1-A),_.push(c++)}h.push(_)}for(let p=0;p<n;p++)for(let _=0;_<t;_++){let A=h[p][_+1],M=h[p][_],C=h[p+1][_],T=h[p+1][_+1];(p!==0||o>0)&&f.push(A,M,T),(p!==n-1||l<Math.PI)&&f.push(M,C,T)}this.setIndex(f),this.setAttribute("position",new Tt(g,3)),this.setAttribute("normal",new Tt(y,3)),this.setAttribute("uv",new Tt(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.radius,e.widthSegments,e.heightSegments,e.phiStart,e.phiLength,e.thetaStart,e.thetaLength)}};var ba=class extends oi{constructor(e){super(),this.isShadowMaterial=!0,this.type="ShadowMaterial",this.color=new Be(0),this.transparent=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.fog=e.fog,this}};function pr(i){let e={};for(let t in i){e[t]={};for(let n in i[t]){let s=i[t][n];if(Wp(s))s.isRenderTargetTexture?($e("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),e[t][n]=null):e[t][n]=s.clone();else if(Array.isArray(s))if(Wp(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();e[t][n]=r}else e[t][n]=s.slice();else e[t][n]=s}}return e}function kn(i){let e={};for(let t=0;t<i.length;t++){let n=pr(i[t]);for(let s in n)e[s]=n[s]}return e}function Wp(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function Px(i){let e=[];for(let t=0;t<i.length;t++)e.push(i[t].clone());return e}function Cd(i){let e=i.getRenderTarget();return e===null?i.outputColorSpace:e.isXRRenderTarget===!0?e.texture.colorSpace:yt.workingColorSpace}var Om={clone:pr,merge:kn},Ix=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Lx=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,yi=class extends oi{constructor(e){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=Ix,this.fragmentShader=Lx,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=pr(e.uniforms),this.uniformsGroups=Px(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?t.uniforms[s]={type:"t",value:o.toJSON(e).uuid}:o&&o.isColor?t.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?t.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?t.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?t.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?t.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?t.uniforms[s]={type:"m4",value:o.toArray()}:t.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let s=e.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=t[s.value]||null;break;case"c":this.uniforms[n].value=new Be().setHex(s.value);break;case"v2":this.uniforms[n].value=new We().fromArray(s.value);break;case"v3":this.uniforms[n].value=new k().fromArray(s.value);break;case"v4":this.uniforms[n].value=new Zt().fromArray(s.value);break;case"m3":this.uniforms[n].value=new tt().fromArray(s.value);break;case"m4":this.uniforms[n].value=new lt().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let n in e.extensions)this.extensions[n]=e.extensions[n];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},ec=class extends yi{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}},Ma=class extends oi{constructor(e){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new Be(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Be(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=za,this.normalScale=new We(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Qi,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.defines={STANDARD:""},this.color.copy(e.color),this.roughness=e.roughness,this.metalness=e.metalness,this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.emissive.copy(e.emissive),this.emissiveMap=e.emissiveMap,this.emissiveIntensity=e.emissiveIntensity,this.bumpMap=e.bumpMap,this.bumpScale=e.bumpScale,this.normalMap=e.normalMap,this.normalMapType=e.normalMapType,this.normalScale.copy(e.normalScale),this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.roughnessMap=e.roughnessMap,this.metalnessMap=e.metalnessMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.envMapIntensity=e.envMapIntensity,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.flatShading=e.flatShading,this.fog=e.fog,this}};var Sa=class extends oi{constructor(e){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new Be(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Be(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=za,this.normalScale=new We(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Qi,this.combine=pc,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.emissive.copy(e.emissive),this.emissiveMap=e.emissiveMap,this.emissiveIntensity=e.emissiveIntensity,this.bumpMap=e.bumpMap,this.bumpScale=e.bumpScale,this.normalMap=e.normalMap,this.normalMapType=e.normalMapType,this.normalScale.copy(e.normalScale),this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.envMapIntensity=e.envMapIntensity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.flatShading=e.flatShading,this.fog=e.fog,this}},tc=class extends oi{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=Sm,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},nc=class extends oi{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function $r(i,e){return!i||i.constructor===e?i:typeof e.BYTES_PER_ELEMENT=="number"?new e(i):Array.prototype.slice.call(i)}function Ll(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Ws=class{constructor(e,t,n,s){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new t.constructor(n),this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,s=t[n],r=t[n-1];n:{e:{let o;t:{i:if(!(e<s)){for(let a=n+2;;){if(s===void 0){if(e<r)break i;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=t[++n],e<s)break e}o=t.length;break t}if(!(e>=r)){let a=t[1];e<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=t[--n-1],e>=r)break e}o=n,n=0;break t}break n}for(;n<o;){let a=n+o>>>1;e<t[a]?o=a:n=a+1}if(s=t[n],r=t[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,e,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=e*s;for(let o=0;o!==s;++o)t[o]=n[r+o];return t}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},ic=class extends Ws{constructor(e,t,n,s){super(e,t,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:qu,endingEnd:qu}}intervalChanged_(e,t,n){let s=this.parameterPositions,r=e-2,o=e+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case Yu:r=e,a=2*t-n;break;case $u:r=s.length-2,a=t+s[r]-s[r+1];break;default:r=e,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case Yu:o=e,l=2*n-t;break;case $u:o=1,l=n+s[1]-s[0];break;default:o=e-1,l=t}let c=(n-t)*.5,h=this.valueSize;this._weightPrev=c/(t-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,g=(n-t)/(s-t),y=g*g,m=y*g,p=-d*m+2*d*y-d*g,_=(1+d)*m+(-1.5-2*d)*y+(-.5+d)*g+1,A=(-1-f)*m+(1.5+f)*y+.5*g,M=f*m-f*y;for(let C=0;C!==a;++C)r[C]=p*o[h+C]+_*o[c+C]+A*o[l+C]+M*o[u+C];return r}},sc=class extends Ws{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=(n-t)/(s-t),u=1-h;for(let d=0;d!==a;++d)r[d]=o[c+d]*u+o[l+d]*h;return r}},rc=class extends Ws{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e){return this.copySampleValue_(e-1)}},oc=class extends Ws{interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let g=(n-t)/(s-t),y=1-g;for(let m=0;m!==a;++m)r[m]=o[c+m]*y+o[l+m]*g;return r}let d=a*2,f=e-1;for(let g=0;g!==a;++g){let y=o[c+g],m=o[l+g],p=f*d+g*2,_=u[p],A=u[p+1],M=e*d+g*2,C=h[M],T=h[M+1],x=Dx(n,t,_,C,s);r[g]=km(x,y,A,T,m)}return r}};function km(i,e,t,n,s){let r=1-i;return r*r*r*e+3*r*r*i*t+3*r*i*i*n+i*i*i*s}function Nx(i,e,t,n,s){let r=1-i;return 3*r*r*(t-e)+6*r*i*(n-t)+3*i*i*(s-n)}function Dx(i,e,t,n,s){let r=(i-e)/(s-e);for(let o=0;o<8;o++){let a=km(r,e,t,n,s)-i;if(Math.abs(a)<1e-10)break;let l=Nx(r,e,t,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var li=class{constructor(e,t,n,s){if(e===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(t===void 0||t.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+e);this.name=e,this.times=$r(t,this.TimeBufferType),this.values=$r(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:$r(e.times,Array),values:$r(e.values,Array)};let s=e.getInterpolation();s!==e.DefaultInterpolation&&(n.interpolation=s),Ll(e.settings)&&(n.settings={inTangents:$r(e.settings.inTangents,Array),outTangents:$r(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new rc(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new sc(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new ic(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new oc(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case ea:t=this.InterpolantFactoryMethodDiscrete;break;case Xl:t=this.InterpolantFactoryMethodLinear;break;case Ul:t=this.InterpolantFactoryMethodSmooth;break;case Xu:t=this.InterpolantFactoryMethodBezier;break}if(t===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return $e("KeyframeTrack:",n),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return ea;case this.InterpolantFactoryMethodLinear:return Xl;case this.InterpolantFactoryMethodSmooth:return Ul;case this.InterpolantFactoryMethodBezier:return Xu}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]+=e;Ll(this.settings)&&(Xp(this.settings.inTangents,e),Xp(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]*=e;Ll(this.settings)&&(qp(this.settings.inTangents,e),qp(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<e;)++r;for(;o!==-1&&n[o]>t;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(Ke("KeyframeTrack: Invalid value size in track.",this),e=!1);let n=this.times,s=this.values,r=n.length;r===0&&(Ke("KeyframeTrack: Track is empty.",this),e=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){Ke("KeyframeTrack: Time is not a valid number.",this,a,l),e=!1;break}if(o!==null&&o>l){Ke("KeyframeTrack: Out of order keys.",this,a,l,o),e=!1;break}o=l}if(s!==void 0&&Zv(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){Ke("KeyframeTrack: Value is not a valid number.",this,a,c),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===Ul,r=e.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=e[a],h=e[a+1];if(c!==h&&(a!==1||c!==e[0]))if(s)l=!0;else{let u=a*n,d=u-n,f=u+n;for(let g=0;g!==n;++g){let y=t[u+g];if(y!==t[d+g]||y!==t[f+g]){l=!0;break}}}if(l){if(a!==o){e[o]=e[a];let u=a*n,d=o*n;for(let f=0;f!==n;++f)t[d+f]=t[u+f]}++o}}if(r>0){e[o]=e[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)t[l+c]=t[a+c];++o}return o!==e.length?(this.times=e.slice(0,o),this.values=t.slice(0,o*n)):(this.times=e,this.values=t),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,s=new n(this.name,e,t);return s.createInterpolant=this.createInterpolant,Ll(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function Xp(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]+=e}function qp(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]*=e}li.prototype.ValueTypeName="";li.prototype.TimeBufferType=Float32Array;li.prototype.ValueBufferType=Float32Array;li.prototype.DefaultInterpolation=Xl;var Xs=class extends li{constructor(e,t,n){super(e,t,n)}};Xs.prototype.ValueTypeName="bool";Xs.prototype.ValueBufferType=Array;Xs.prototype.DefaultInterpolation=ea;Xs.prototype.InterpolantFactoryMethodLinear=void 0;Xs.prototype.InterpolantFactoryMethodSmooth=void 0;var ac=class extends li{constructor(e,t,n,s){super(e,t,n,s)}};ac.prototype.ValueTypeName="color";var lc=class extends li{constructor(e,t,n,s){super(e,t,n,s)}};lc.prototype.ValueTypeName="number";var cc=class extends Ws{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-t)/(s-t),c=e*a;for(let h=c+a;c!==h;c+=4)on.slerpFlat(r,0,o,c-a,o,c,l);return r}},wa=class extends li{constructor(e,t,n,s){super(e,t,n,s)}InterpolantFactoryMethodLinear(e){return new cc(this.times,this.values,this.getValueSize(),e)}};wa.prototype.ValueTypeName="quaternion";wa.prototype.InterpolantFactoryMethodSmooth=void 0;var qs=class extends li{constructor(e,t,n){super(e,t,n)}};qs.prototype.ValueTypeName="string";qs.prototype.ValueBufferType=Array;qs.prototype.DefaultInterpolation=ea;qs.prototype.InterpolantFactoryMethodLinear=void 0;qs.prototype.InterpolantFactoryMethodSmooth=void 0;var hc=class extends li{constructor(e,t,n,s){super(e,t,n,s)}};hc.prototype.ValueTypeName="vector";var uc=class{constructor(e,t,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=e,this.onProgress=t,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,d=c.length;u<d;u+=2){let f=c[u],g=c[u+1];if(f.global&&(f.lastIndex=0),f.test(h))return g}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},Bm=new uc,dc=class{constructor(e){this.manager=e!==void 0?e:Bm,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(e,t){let n=this;return new Promise(function(s,r){n.load(e,s,t,r)})}parse(){}setCrossOrigin(e){return this.crossOrigin=e,this}setWithCredentials(e){return this.withCredentials=e,this}setPath(e){return this.path=e,this}setResourcePath(e){return this.resourcePath=e,this}setRequestHeader(e){return this.requestHeader=e,this}setPriority(e){return this.priority=e,this}setCache(e){return this.cache=e,this}abort(){return this}};dc.DEFAULT_MATERIAL_NAME="__DEFAULT";var ao=class extends an{static registerNode(e){this.prototype._lightNode=e}constructor(e,t=1){super(),this.isLight=!0,this.type="Light",this.color=new Be(e),this.intensity=t}copy(e,t){return super.copy(e,t),this.color.copy(e.color),this.intensity=e.intensity,this}toJSON(e){let t=super.toJSON(e);return t.object.color=this.color.getHex(),t.object.intensity=this.intensity,t}},Ea=class extends ao{constructor(e,t,n){super(e,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(an.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Be(t)}copy(e,t){return super.copy(e,t),this.groundColor.copy(e.groundColor),this}toJSON(e){let t=super.toJSON(e);return t.object.groundColor=this.groundColor.getHex(),t}},Wu=new lt,Yp=new k,$p=new k,Ta=class{constructor(e){this.camera=e,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new We(512,512),this.mapType=Jn,this.map=null,this.mapPass=null,this.matrix=new lt,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Hs,this._frameExtents=new We(1,1),this._viewportCount=1,this._viewports=[new Zt(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(e){let t=this.camera;Yp.setFromMatrixPosition(e.matrixWorld),t.position.copy(Yp),$p.setFromMatrixPosition(e.target.matrixWorld),t.lookAt($p),t.updateMatrixWorld(),this._updateMatrix(t,this.matrix,this._frustum)}_updateMatrix(e,t,n,s){Wu.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),n.setFromProjectionMatrix(Wu,e.coordinateSystem,e.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,l=s?s.x/r.x:0,c=s?s.y/r.y:0;e.coordinateSystem===eo||e.reversedDepth?t.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,1,0,0,0,0,1):t.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,.5,.5,0,0,0,1),t.multiply(Wu)}getViewport(e){return this._viewports[e]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(e){return this.camera=e.camera.clone(),this.intensity=e.intensity,this.bias=e.bias,this.radius=e.radius,this.autoUpdate=e.autoUpdate,this.needsUpdate=e.needsUpdate,this.normalBias=e.normalBias,this.blurSamples=e.blurSamples,this.mapSize.copy(e.mapSize),this.mapType=e.mapType,this.biasNode=e.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let e={};return e.intensity=this.intensity,e.bias=this.bias,e.normalBias=this.normalBias,e.radius=this.radius,e.blurSamples=this.blurSamples,e.mapSize=this.mapSize.toArray(),e.mapType=this.mapType,e.camera=this.camera.toJSON(!1).object,delete e.camera.matrix,e}},Nl=new k,Dl=new on,Ji=new k,Aa=class extends an{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new lt,this.projectionMatrix=new lt,this.projectionMatrixInverse=new lt,this.coordinateSystem=gi,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(Nl,Dl,Ji),Ji.x===1&&Ji.y===1&&Ji.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Nl,Dl,Ji.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(Nl,Dl,Ji),Ji.x===1&&Ji.y===1&&Ji.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Nl,Dl,Ji.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},zs=new k,Zp=new We,Jp=new We,Cn=class extends Aa{constructor(e=50,t=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=e,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=no*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(jo*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return no*2*Math.atan(Math.tan(jo*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){zs.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(zs.x,zs.y).multiplyScalar(-e/zs.z),zs.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(zs.x,zs.y).multiplyScalar(-e/zs.z)}getViewSize(e,t){return this.getViewBounds(e,Zp,Jp),t.subVectors(Jp,Zp)}setViewOffset(e,t,n,s,r,o){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(jo*.5*this.fov)/this.zoom,n=2*t,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,t-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=e*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}};var Ju=class extends Ta{constructor(){super(new Cn(90,1,.5,500)),this.isPointLightShadow=!0}},Ra=class extends ao{constructor(e,t,n=0,s=2){super(e,t),this.isPointLight=!0,this.type="PointLight",this.distance=n,this.decay=s,this.shadow=new Ju}get power(){return this.intensity*4*Math.PI}set power(e){this.intensity=e/(4*Math.PI)}dispose(){super.dispose(),this.shadow.dispose()}copy(e,t){return super.copy(e,t),this.distance=e.distance,this.decay=e.decay,this.shadow=e.shadow.clone(),this}toJSON(e){let t=super.toJSON(e);return t.object.distance=this.distance,t.object.decay=this.decay,t.object.shadow=this.shadow.toJSON(),t}},lr=class extends Aa{constructor(e=-1,t=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-e,o=n+e,a=s+t,l=s-t;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}},Ku=class extends Ta{constructor(){super(new lr(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},Ca=class extends ao{constructor(e,t){super(e,t),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(an.DEFAULT_UP),this.updateMatrix(),this.target=new an,this.shadow=new Ku}dispose(){super.dispose(),this.shadow.dispose()}copy(e){return super.copy(e),this.target=e.target.clone(),this.shadow=e.shadow.clone(),this}toJSON(e){let t=super.toJSON(e);return t.object.shadow=this.shadow.toJSON(),t.object.target=this.target.uuid,t}};var Zr=-90,Jr=1,lo=class extends an{constructor(e,t,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Cn(Zr,Jr,e,t);s.layers=this.layers,this.add(s);let r=new Cn(Zr,Jr,e,t);r.layers=this.layers,this.add(r);let o=new Cn(Zr,Jr,e,t);o.layers=this.layers,this.add(o);let a=new Cn(Zr,Jr,e,t);a.layers=this.layers,this.add(a);let l=new Cn(Zr,Jr,e,t);l.layers=this.layers,this.add(l);let c=new Cn(Zr,Jr,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,s,r,o,a,l]=t;for(let c of t)this.remove(c);if(e===gi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(e===eo)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+e);for(let c of t)this.add(c),c.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),g=e.xr.enabled;e.xr.enabled=!1;let y=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;e.isWebGLRenderer===!0?m=e.state.buffers.depth.getReversed():m=e.reversedDepthBuffer,e.setRenderTarget(n,0,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,r),e.setRenderTarget(n,1,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,2,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,3,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(n,4,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=y,e.setRenderTarget(n,5,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,h),e.setRenderTarget(u,d,f),e.xr.enabled=g,n.texture.needsPMREMUpdate=!0}},fc=class extends Cn{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}};var Pd="\\[\\]\\.:\\/",Ux=new RegExp("["+Pd+"]","g"),Id="[^"+Pd+"]",Fx="[^"+Pd.replace("\\.","")+"]",Ox=/((?:WC+[\/:])*)/.source.replace("WC",Id),kx=/(WCOD+)?/.source.replace("WCOD",Fx),Bx=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Id),zx=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Id),Hx=new RegExp("^"+Ox+kx+Bx+zx+"$"),Vx=["material","materials","bones","map"],ju=class{constructor(e,t,n){let s=n||Xt.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,s)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},Xt=class i{constructor(e,t,n){this.path=t,this.parsedPath=n||i.parseTrackName(t),this.node=i.findNode(e,this.parsedPath.nodeName),this.rootNode=e,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(e,t,n){return e&&e.isAnimationObjectGroup?new i.Composite(e,t,n):new i(e,t,n)}static sanitizeNodeName(e){return e.replace(/\s/g,"_").replace(Ux,"")}static parseTrackName(e){let t=Hx.exec(e);if(t===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);Vx.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+e);return n}static findNode(e,t){if(t===void 0||t===""||t==="."||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===t||a.uuid===t)return a;let l=n(a.children);if(l)return l}return null},s=n(e.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)e[t++]=n[s]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let e=this.node,t=this.parsedPath,n=t.objectName,s=t.propertyName,r=t.propertyIndex;if(e||(e=i.findNode(this.rootNode,t.nodeName),this.node=e),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!e){$e("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=t.objectIndex;switch(n){case"materials":if(!e.material){Ke("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.materials){Ke("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}e=e.material.materials;break;case"bones":if(!e.skeleton){Ke("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}e=e.skeleton.bones;for(let h=0;h<e.length;h++)if(e[h].name===c){c=h;break}break;case"map":if("map"in e){e=e.map;break}if(!e.material){Ke("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.map){Ke("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}e=e.material.map;break;default:if(e[n]===void 0){Ke("PropertyBinding: Can not bind to objectName of node undefined.",this);return}e=e[n]}if(c!==void 0){if(e[c]===void 0){Ke("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,e);return}e=e[c]}}let o=e[s];if(o===void 0){let c=t.nodeName;Ke("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",e);return}let a=this.Versioning.None;this.targetObject=e,e.isMaterial===!0?a=this.Versioning.NeedsUpdate:e.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!e.geometry){Ke("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!e.geometry.morphAttributes){Ke("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}e.morphTargetDictionary[r]!==void 0&&(r=e.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Xt.Composite=ju;Xt.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Xt.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Xt.prototype.GetterByBindingType=[Xt.prototype._getValue_direct,Xt.prototype._getValue_array,Xt.prototype._getValue_arrayElement,Xt.prototype._getValue_toArray];Xt.prototype.SetterByBindingTypeAndVersioning=[[Xt.prototype._setValue_direct,Xt.prototype._setValue_direct_setNeedsUpdate,Xt.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Xt.prototype._setValue_array,Xt.prototype._setValue_array_setNeedsUpdate,Xt.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Xt.prototype._setValue_arrayElement,Xt.prototype._setValue_arrayElement_setNeedsUpdate,Xt.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Xt.prototype._setValue_fromArray,Xt.prototype._setValue_fromArray_setNeedsUpdate,Xt.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var aT=new Float32Array(1);var Kp=new lt,Pa=class{constructor(e,t,n=0,s=1/0){this.ray=new or(e,t),this.near=n,this.far=s,this.camera=null,this.layers=new so,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(e,t){this.ray.set(e,t)}setFromCamera(e,t){t.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(e.x,e.y,.5).unproject(t).sub(this.ray.origin).normalize(),this.camera=t):t.isOrthographicCamera?(this.ray.origin.set(e.x,e.y,t.projectionMatrix.elements[14]).unproject(t),this.ray.direction.set(0,0,-1).transformDirection(t.matrixWorld),this.camera=t):Ke("Raycaster: Unsupported camera type: "+t.type)}setFromXRController(e){return Kp.identity().extractRotation(e.matrixWorld),this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Kp),this}intersectObject(e,t=!0,n=[]){return Qu(e,this,n,t),n.sort(jp),n}intersectObjects(e,t=!0,n=[]){for(let s=0,r=e.length;s<r;s++)Qu(e[s],this,n,t);return n.sort(jp),n}};function jp(i,e){return i.distance-e.distance}function Qu(i,e,t,n){let s=!0;if(i.layers.test(e.layers)&&i.raycast(e,t)===!1&&(s=!1),s===!0&&n===!0){let r=i.children;for(let o=0,a=r.length;o<a;o++)Qu(r[o],e,t,!0)}}var ed=class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,s){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,s){let r=this.elements;return r[0]=e,r[2]=t,r[1]=n,r[3]=s,this}};var Ia=class extends Zn{constructor(e=10,t=10,n=4473924,s=8947848){n=new Be(n),s=new Be(s);let r=t/2,o=e/t,a=e/2,l=[],c=[];for(let d=0,f=0,g=-a;d<=t;d++,g+=o){l.push(-a,0,g,a,0,g),l.push(g,0,-a,g,0,a);let y=d===r?n:s;y.toArray(c,f),f+=3,y.toArray(c,f),f+=3,y.toArray(c,f),f+=3,y.toArray(c,f),f+=3}let h=new vt;h.setAttribute("position",new Tt(l,3)),h.setAttribute("color",new Tt(c,3));let u=new $n({vertexColors:!0,toneMapped:!1});super(h,u),this.type="GridHelper"}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};function Ld(i,e,t,n){let s=Gx(n);switch(t){case xd:return i*e;case po:return i*e/s.components*s.byteLength;case bc:return i*e/s.components*s.byteLength;case Ys:return i*e*2/s.components*s.byteLength;case Mc:return i*e*2/s.components*s.byteLength;case yd:return i*e*3/s.components*s.byteLength;case Oi:return i*e*4/s.components*s.byteLength;case Sc:return i*e*4/s.components*s.byteLength;case Da:case Ua:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case Fa:case Oa:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case Ec:case Ac:return Math.max(i,16)*Math.max(e,8)/4;case wc:case Tc:return Math.max(i,8)*Math.max(e,8)/2;case Rc:case Cc:case Ic:case Lc:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case Pc:case ka:case Nc:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case Dc:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case Uc:return Math.floor((i+4)/5)*Math.floor((e+3)/4)*16;case Fc:return Math.floor((i+4)/5)*Math.floor((e+4)/5)*16;case Oc:return Math.floor((i+5)/6)*Math.floor((e+4)/5)*16;case kc:return Math.floor((i+5)/6)*Math.floor((e+5)/6)*16;case Bc:return Math.floor((i+7)/8)*Math.floor((e+4)/5)*16;case zc:return Math.floor((i+7)/8)*Math.floor((e+5)/6)*16;case Hc:return Math.floor((i+7)/8)*Math.floor((e+7)/8)*16;case Vc:return Math.floor((i+9)/10)*Math.floor((e+4)/5)*16;case Gc:return Math.floor((i+9)/10)*Math.floor((e+5)/6)*16;case Wc:return Math.floor((i+9)/10)*Math.floor((e+7)/8)*16;case Xc:return Math.floor((i+9)/10)*Math.floor((e+9)/10)*16;case qc:return Math.floor((i+11)/12)*Math.floor((e+9)/10)*16;case Yc:return Math.floor((i+11)/12)*Math.floor((e+11)/12)*16;case $c:case Zc:case Jc:return Math.ceil(i/4)*Math.ceil(e/4)*16;case Kc:case jc:return Math.ceil(i/4)*Math.ceil(e/4)*8;case Ba:case Qc:return Math.ceil(i/4)*Math.ceil(e/4)*16}throw new Error(`Unable to determine texture byte length for ${t} format.`)}function Gx(i){switch(i){case Jn:case pd:return{byteLength:1,components:1};case fo:case md:case Fi:return{byteLength:2,components:1};case yc:case _c:return{byteLength:2,components:4};case Ui:case xc:case _i:return{byteLength:4,components:1};case gd:case vd:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?$e("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function ag(){let i=null,e=!1,t=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),t(r,o)}return{start:function(){e!==!0&&t!==null&&i!==null&&(n=i.requestAnimationFrame(s),e=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),e=!1},setAnimationLoop:function(r){t=r},setContext:function(r){i=r}}}function Xx(i){let e=new WeakMap;function t(a,l){let c=a.array,h=a.usage,u=c.byteLength,d=i.createBuffer();i.bindBuffer(l,d),i.bufferData(l,c,h),a.onUploadCallback();let f;if(c instanceof Float32Array)f=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)f=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?f=i.HALF_FLOAT:f=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)f=i.SHORT;else if(c instanceof Uint32Array)f=i.UNSIGNED_INT;else if(c instanceof Int32Array)f=i.INT;else if(c instanceof Int8Array)f=i.BYTE;else if(c instanceof Uint8Array)f=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)f=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:d,type:f,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((f,g)=>f.start-g.start);let d=0;for(let f=1;f<u.length;f++){let g=u[d],y=u[f];y.start<=g.start+g.count+1?g.count=Math.max(g.count,y.start+y.count-g.start):(++d,u[d]=y)}u.length=d+1;for(let f=0,g=u.length;f<g;f++){let y=u[f];i.bufferSubData(c,y.start*h.BYTES_PER_ELEMENT,h,y.start,y.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),e.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=e.get(a);l&&(i.deleteBuffer(l.buffer),e.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=e.get(a);(!h||h.version<a.version)&&e.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=e.get(a);if(c===void 0)e.set(a,t(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var qx=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Yx=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,$x=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,Zx=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Jx=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,Kx=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,jx=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Qx=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,ey=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,ty=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,ny=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,iy=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,sy=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,ry=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,oy=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,ay=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,ly=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,cy=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,hy=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,uy=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,dy=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,fy=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,py=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,my=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,gy=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,vy=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,xy=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,yy=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,_y=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,by="gl_FragColor = linearToOutputTexel( gl_FragColor );",My=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,Sy=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,wy=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,Ey=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,Ty=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,Ay=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,Ry=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,Cy=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,Py=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,Iy=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,Ly=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,Ny=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,Dy=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,Uy=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,Fy=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,Oy=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,ky=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,By=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,zy=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,Hy=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Vy=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Gy=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,Wy=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,Xy=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,qy=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Yy=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,$y=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Zy=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Jy=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Ky=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,jy=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Qy=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,e_=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,t_=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,n_=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,i_=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,s_=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,r_=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,o_=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,a_=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,l_=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,c_=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,h_=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,u_=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,d_=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,f_=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,p_=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,m_=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,g_=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,v_=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,x_=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,y_=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,__=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,b_=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,M_=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,S_=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,w_=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,E_=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,T_=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,A_=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,R_=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,C_=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,P_=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,I_=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,L_=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,N_=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,D_=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,U_=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,F_=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,O_=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,k_=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,B_=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,z_=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,H_=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,V_=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,G_=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,W_=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,X_=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,q_=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Y_=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,$_=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Z_=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,J_=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,K_=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,j_=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,Q_=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,eb=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,tb=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,nb=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,ib=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,sb=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,rb=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,ob=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,ab=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,lb=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,cb=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,hb=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,ub=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,db=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,fb=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,pb=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,mb=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,gb=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,vb=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,xb=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,yb=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,_b=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,bb=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Mb=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Sb=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,wb=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,ut={alphahash_fragment:qx,alphahash_pars_fragment:Yx,alphamap_fragment:$x,alphamap_pars_fragment:Zx,alphatest_fragment:Jx,alphatest_pars_fragment:Kx,aomap_fragment:jx,aomap_pars_fragment:Qx,batching_pars_vertex:ey,batching_vertex:ty,begin_vertex:ny,beginnormal_vertex:iy,bsdfs:sy,iridescence_fragment:ry,bumpmap_pars_fragment:oy,clipping_planes_fragment:ay,clipping_planes_pars_fragment:ly,clipping_planes_pars_vertex:cy,clipping_planes_vertex:hy,color_fragment:uy,color_pars_fragment:dy,color_pars_vertex:fy,color_vertex:py,common:my,defaultnormal_vertex:gy,displacementmap_pars_vertex:vy,displacementmap_vertex:xy,emissivemap_fragment:yy,emissivemap_pars_fragment:_y,colorspace_fragment:by,colorspace_pars_fragment:My,envmap_fragment:Sy,envmap_common_pars_fragment:wy,envmap_pars_fragment:Ey,envmap_pars_vertex:Ty,envmap_physical_pars_fragment:Oy,envmap_vertex:Ay,fog_vertex:Ry,fog_pars_vertex:Cy,fog_fragment:Py,fog_pars_fragment:Iy,gradientmap_pars_fragment:Ly,lightmap_pars_fragment:Ny,lights_lambert_fragment:Dy,lights_lambert_pars_fragment:Uy,lights_pars_begin:Fy,lights_toon_fragment:ky,lights_toon_pars_fragment:By,lights_phong_fragment:zy,lights_phong_pars_fragment:Hy,lights_physical_fragment:Vy,lights_physical_pars_fragment:Gy,lights_fragment_begin:Wy,lights_fragment_maps:Xy,lights_fragment_end:qy,lightprobes_pars_fragment:Yy,logdepthbuf_fragment:$y,logdepthbuf_pars_fragment:Zy,logdepthbuf_pars_vertex:Jy,logdepthbuf_vertex:Ky,map_fragment:jy,map_pars_fragment:Qy,map_particle_fragment:e_,map_particle_pars_fragment:t_,metalnessmap_fragment:n_,metalnessmap_pars_fragment:i_,morphinstance_vertex:s_,morphcolor_vertex:r_,morphnormal_vertex:o_,morphtarget_pars_vertex:a_,morphtarget_vertex:l_,normal_fragment_begin:c_,normal_fragment_maps:h_,normal_pars_fragment:u_,normal_pars_vertex:d_,normal_vertex:f_,normalmap_pars_fragment:p_,clearcoat_normal_fragment_begin:m_,clearcoat_normal_fragment_maps:g_,clearcoat_pars_fragment:v_,iridescence_pars_fragment:x_,opaque_fragment:y_,packing:__,premultiplied_alpha_fragment:b_,project_vertex:M_,dithering_fragment:S_,dithering_pars_fragment:w_,roughnessmap_fragment:E_,roughnessmap_pars_fragment:T_,shadowmap_pars_fragment:A_,shadowmap_pars_vertex:R_,shadowmap_vertex:C_,shadowmask_pars_fragment:P_,skinbase_vertex:I_,skinning_pars_vertex:L_,skinning_vertex:N_,skinnormal_vertex:D_,specularmap_fragment:U_,specularmap_pars_fragment:F_,tonemapping_fragment:O_,tonemapping_pars_fragment:k_,transmission_fragment:B_,transmission_pars_fragment:z_,uv_pars_fragment:H_,uv_pars_vertex:V_,uv_vertex:G_,worldpos_vertex:W_,background_vert:X_,background_frag:q_,backgroundCube_vert:Y_,backgroundCube_frag:$_,cube_vert:Z_,cube_frag:J_,depth_vert:K_,depth_frag:j_,distance_vert:Q_,distance_frag:eb,equirect_vert:tb,equirect_frag:nb,linedashed_vert:ib,linedashed_frag:sb,meshbasic_vert:rb,meshbasic_frag:ob,meshlambert_vert:ab,meshlambert_frag:lb,meshmatcap_vert:cb,meshmatcap_frag:hb,meshnormal_vert:ub,meshnormal_frag:db,meshphong_vert:fb,meshphong_frag:pb,meshphysical_vert:mb,meshphysical_frag:gb,meshtoon_vert:vb,meshtoon_frag:xb,points_vert:yb,points_frag:_b,shadow_vert:bb,shadow_frag:Mb,sprite_vert:Sb,sprite_frag:wb},Le={common:{diffuse:{value:new Be(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new tt},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new tt}},envmap:{envMap:{value:null},envMapRotation:{value:new tt},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new tt}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new tt}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new tt},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new tt},normalScale:{value:new We(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new tt},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new tt}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new tt}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new tt}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Be(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Be(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0},uvTransform:{value:new tt}},sprite:{diffuse:{value:new Be(16777215)},opacity:{value:1},center:{value:new We(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new tt},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0}}},is={basic:{uniforms:kn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.fog]),vertexShader:ut.meshbasic_vert,fragmentShader:ut.meshbasic_frag},lambert:{uniforms:kn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,Le.lights,{emissive:{value:new Be(0)},envMapIntensity:{value:1}}]),vertexShader:ut.meshlambert_vert,fragmentShader:ut.meshlambert_frag},phong:{uniforms:kn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,Le.lights,{emissive:{value:new Be(0)},specular:{value:new Be(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:ut.meshphong_vert,fragmentShader:ut.meshphong_frag},standard:{uniforms:kn([Le.common,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.roughnessmap,Le.metalnessmap,Le.fog,Le.lights,{emissive:{value:new Be(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:ut.meshphysical_vert,fragmentShader:ut.meshphysical_frag},toon:{uniforms:kn([Le.common,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.gradientmap,Le.fog,Le.lights,{emissive:{value:new Be(0)}}]),vertexShader:ut.meshtoon_vert,fragmentShader:ut.meshtoon_frag},matcap:{uniforms:kn([Le.common,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,{matcap:{value:null}}]),vertexShader:ut.meshmatcap_vert,fragmentShader:ut.meshmatcap_frag},points:{uniforms:kn([Le.points,Le.fog]),vertexShader:ut.points_vert,fragmentShader:ut.points_frag},dashed:{uniforms:kn([Le.common,Le.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:ut.linedashed_vert,fragmentShader:ut.linedashed_frag},depth:{uniforms:kn([Le.common,Le.displacementmap]),vertexShader:ut.depth_vert,fragmentShader:ut.depth_frag},normal:{uniforms:kn([Le.common,Le.bumpmap,Le.normalmap,Le.displacementmap,{opacity:{value:1}}]),vertexShader:ut.meshnormal_vert,fragmentShader:ut.meshnormal_frag},sprite:{uniforms:kn([Le.sprite,Le.fog]),vertexShader:ut.sprite_vert,fragmentShader:ut.sprite_frag},background:{uniforms:{uvTransform:{value:new tt},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:ut.background_vert,fragmentShader:ut.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new tt}},vertexShader:ut.backgroundCube_vert,fragmentShader:ut.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:ut.cube_vert,fragmentShader:ut.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:ut.equirect_vert,fragmentShader:ut.equirect_frag},distance:{uniforms:kn([Le.common,Le.displacementmap,{referencePosition:{value:new k},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:ut.distance_vert,fragmentShader:ut.distance_frag},shadow:{uniforms:kn([Le.lights,Le.fog,{color:{value:new Be(0)},opacity:{value:1}}]),vertexShader:ut.shadow_vert,fragmentShader:ut.shadow_frag}};is.physical={uniforms:kn([is.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new tt},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new tt},clearcoatNormalScale:{value:new We(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new tt},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new tt},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new tt},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new tt},sheen:{value:0},sheenColor:{value:new Be(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new tt},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new tt},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new tt},transmissionSamplerSize:{value:new We},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new tt},attenuationDistance:{value:0},attenuationColor:{value:new Be(0)},specularColor:{value:new Be(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new tt},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new tt},anisotropyVector:{value:new We},anisotropyMap:{value:null},anisotropyMapTransform:{value:new tt}}]),vertexShader:ut.meshphysical_vert,fragmentShader:ut.meshphysical_frag};var th={r:0,b:0,g:0},Eb=new lt,lg=new tt;lg.set(-1,0,0,0,1,0,0,0,1);function Tb(i,e,t,n,s,r){let o=new Be(0),a=s===!0?0:1,l,c,h=null,u=0,d=null;function f(_){let A=_.isScene===!0?_.background:null;if(A&&A.isTexture){let M=_.backgroundBlurriness>0;A=e.get(A,M)}return A}function g(_){let A=!1,M=f(_);M===null?m(o,a):M&&M.isColor&&(m(M,1),A=!0);let C=i.xr.getEnvironmentBlendMode();C==="additive"?t.buffers.color.setClear(0,0,0,1,r):C==="alpha-blend"&&t.buffers.color.setClear(0,0,0,0,r),(i.autoClear||A)&&(t.buffers.depth.setTest(!0),t.buffers.depth.setMask(!0),t.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function y(_,A){let M=f(A);M&&M.isCubeTexture?(c===void 0&&(c=new At(new Vs(1,1,1),new yi({name:"BackgroundCubeMaterial",uniforms:pr(is.backgroundCube.uniforms),vertexShader:is.backgroundCube.vertexShader,fragmentShader:is.backgroundCube.fragmentShader,side:Nn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(C,T,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=M,c.material.uniforms.backgroundBlurriness.value=A.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(Eb.makeRotationFromEuler(A.backgroundRotation)).transpose(),M.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(lg),c.material.toneMapped=yt.getTransfer(M.colorSpace)!==Ct,(h!==M||u!==M.version||d!==i.toneMapping)&&(c.material.needsUpdate=!0,h=M,u=M.version,d=i.toneMapping),c.layers.enableAll(),_.unshift(c,c.geometry,c.material,0,0,null)):M&&M.isTexture&&(l===void 0&&(l=new At(new Ni(2,2),new yi({name:"BackgroundMaterial",uniforms:pr(is.background.uniforms),vertexShader:is.background.vertexShader,fragmentShader:is.background.fragmentShader,side:es,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=M,l.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,l.material.toneMapped=yt.getTransfer(M.colorSpace)!==Ct,M.matrixAutoUpdate===!0&&M.updateMatrix(),l.material.uniforms.uvTransform.value.copy(M.matrix),(h!==M||u!==M.version||d!==i.toneMapping)&&(l.material.needsUpdate=!0,h=M,u=M.version,d=i.toneMapping),l.layers.enableAll(),_.unshift(l,l.geometry,l.material,0,0,null))}function m(_,A){_.getRGB(th,Cd(i)),t.buffers.color.setClear(th.r,th.g,th.b,A,r)}function p(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(_,A=1){o.set(_),a=A,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(_){a=_,m(o,a)},render:g,addToRenderList:y,dispose:p}}function Ab(i,e){let t=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=d(null),r=s,o=!1;function a(L,z,H,D,W){let Y=!1,G=u(L,D,H,z);r!==G&&(r=G,c(r.object)),Y=f(L,D,H,W),Y&&g(L,D,H,W),W!==null&&e.update(W,i.ELEMENT_ARRAY_BUFFER),(Y||o)&&(o=!1,M(L,z,H,D),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,e.get(W).buffer))}function l(){return i.createVertexArray()}function c(L){return i.bindVertexArray(L)}function h(L){return i.deleteVertexArray(L)}function u(L,z,H,D){let W=D.wireframe===!0,Y=n[z.id];Y===void 0&&(Y={},n[z.id]=Y);let G=L.isInstancedMesh===!0?L.id:0,ce=Y[G];ce===void 0&&(ce={},Y[G]=ce);let J=ce[H.id];J===void 0&&(J={},ce[H.id]=J);let Q=J[W];return Q===void 0&&(Q=d(l()),J[W]=Q),Q}function d(L){let z=[],H=[],D=[];for(let W=0;W<t;W++)z[W]=0,H[W]=0,D[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:z,enabledAttributes:H,attributeDivisors:D,object:L,attributes:{},index:null}}function f(L,z,H,D){let W=r.attributes,Y=z.attributes,G=0,ce=H.getAttributes();for(let J in ce)if(ce[J].location>=0){let se=W[J],de=Y[J];if(de===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(de=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(de=L.instanceColor)),se===void 0||se.attribute!==de||de&&se.data!==de.data)return!0;G++}return r.attributesNum!==G||r.index!==D}function g(L,z,H,D){let W={},Y=z.attributes,G=0,ce=H.getAttributes();for(let J in ce)if(ce[J].location>=0){let se=Y[J];se===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(se=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(se=L.instanceColor));let de={};de.attribute=se,se&&se.data&&(de.data=se.data),W[J]=de,G++}r.attributes=W,r.attributesNum=G,r.index=D}function y(){let L=r.newAttributes;for(let z=0,H=L.length;z<H;z++)L[z]=0}function m(L){p(L,0)}function p(L,z){let H=r.newAttributes,D=r.enabledAttributes,W=r.attributeDivisors;H[L]=1,D[L]===0&&(i.enableVertexAttribArray(L),D[L]=1),W[L]!==z&&(i.vertexAttribDivisor(L,z),W[L]=z)}function _(){let L=r.newAttributes,z=r.enabledAttributes;for(let H=0,D=z.length;H<D;H++)z[H]!==L[H]&&(i.disableVertexAttribArray(H),z[H]=0)}function A(L,z,H,D,W,Y,G){G===!0?i.vertexAttribIPointer(L,z,H,W,Y):i.vertexAttribPointer(L,z,H,D,W,Y)}function M(L,z,H,D){y();let W=D.attributes,Y=H.getAttributes(),G=z.defaultAttributeValues;for(let ce in Y){let J=Y[ce];if(J.location>=0){let Q=W[ce];if(Q===void 0&&(ce==="instanceMatrix"&&L.instanceMatrix&&(Q=L.instanceMatrix),ce==="instanceColor"&&L.instanceColor&&(Q=L.instanceColor)),Q!==void 0){let se=Q.normalized,de=Q.itemSize,ue=e.get(Q);if(ue===void 0)continue;let ee=ue.buffer,me=ue.type,xe=ue.bytesPerElement,Ae=me===i.INT||me===i.UNSIGNED_INT||Q.gpuType===xc;if(Q.isInterleavedBufferAttribute){let Me=Q.data,Xe=Me.isInterleavedBuffer===!0?Me.stride:Me.itemSize,st=Q.offset;if(Me.isInstancedInterleavedBuffer||Me.isInstancedBufferAttribute){for(let Ve=0;Ve<J.locationSize;Ve++)p(J.location+Ve,Me.meshPerAttribute);L.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=Me.meshPerAttribute*Me.count)}else for(let Ve=0;Ve<J.locationSize;Ve++)m(J.location+Ve);i.bindBuffer(i.ARRAY_BUFFER,ee);for(let Ve=0;Ve<J.locationSize;Ve++)A(J.location+Ve,de/J.locationSize,me,se,Xe*xe,(st+de/J.locationSize*Ve)*xe,Ae)}else{if(Q.isInstancedBufferAttribute){for(let Me=0;Me<J.locationSize;Me++)p(J.location+Me,Q.meshPerAttribute);L.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let Me=0;Me<J.locationSize;Me++)m(J.location+Me);i.bindBuffer(i.ARRAY_BUFFER,ee);for(let Me=0;Me<J.locationSize;Me++)A(J.location+Me,de/J.locationSize,me,se,de*xe,de/J.locationSize*Me*xe,Ae)}}else if(G!==void 0){let se=G[ce];if(se!==void 0)switch(se.length){case 2:i.vertexAttrib2fv(J.location,se);break;case 3:i.vertexAttrib3fv(J.location,se);break;case 4:i.vertexAttrib4fv(J.location,se);break;default:i.vertexAttrib1fv(J.location,se)}}}}_()}function C(){O();for(let L in n){let z=n[L];for(let H in z){let D=z[H];for(let W in D){let Y=D[W];for(let G in Y)h(Y[G].object),delete Y[G];delete D[W]}}delete n[L]}}function T(L){if(n[L.id]===void 0)return;let z=n[L.id];for(let H in z){let D=z[H];for(let W in D){let Y=D[W];for(let G in Y)h(Y[G].object),delete Y[G];delete D[W]}}delete n[L.id]}function x(L){for(let z in n){let H=n[z];for(let D in H){let W=H[D];if(W[L.id]===void 0)continue;let Y=W[L.id];for(let G in Y)h(Y[G].object),delete Y[G];delete W[L.id]}}}function E(L){for(let z in n){let H=n[z],D=L.isInstancedMesh===!0?L.id:0,W=H[D];if(W!==void 0){for(let Y in W){let G=W[Y];for(let ce in G)h(G[ce].object),delete G[ce];delete W[Y]}delete H[D],Object.keys(H).length===0&&delete n[z]}}}function O(){I(),o=!0,r!==s&&(r=s,c(r.object))}function I(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:O,resetDefaultState:I,dispose:C,releaseStatesOfGeometry:T,releaseStatesOfObject:E,releaseStatesOfProgram:x,initAttributes:y,enableAttribute:m,disableUnusedAttributes:_}}function Rb(i,e,t){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),t.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),t.update(c,n,h))}function a(l,c,h){if(h===0)return;e.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let d=0;for(let f=0;f<h;f++)d+=c[f];t.update(d,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function Cb(i,e,t,n){let s;function r(){if(s!==void 0)return s;if(e.has("EXT_texture_filter_anisotropic")===!0){let x=e.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Oi&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let E=x===Fi&&(e.has("EXT_color_buffer_half_float")||e.has("EXT_color_buffer_float"));return!(x!==Jn&&x!==_i&&!E&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=t.precision!==void 0?t.precision:"highp",h=l(c);h!==c&&($e("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=t.reversedDepthBuffer===!0&&e.has("EXT_clip_control"),d=t.logarithmicDepthBuffer===!0&&u===!1;t.reversedDepthBuffer===!0&&u===!1&&$e("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),t.logarithmicDepthBuffer===!0&&u===!0&&$e("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),g=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),y=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),p=i.getParameter(i.MAX_VERTEX_ATTRIBS),_=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),A=i.getParameter(i.MAX_VARYING_VECTORS),M=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),C=i.getParameter(i.MAX_SAMPLES),T=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:f,maxVertexTextures:g,maxTextureSize:y,maxCubemapSize:m,maxAttributes:p,maxVertexUniforms:_,maxVaryings:A,maxFragmentUniforms:M,maxSamples:C,samples:T}}function Pb(i){let e=this,t=null,n=0,s=!1,r=!1,o=new si,a=new tt,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){let f=u.length!==0||d||n!==0||s;return s=d,n=u.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){t=h(u,d,0)},this.setState=function(u,d,f){let g=u.clippingPlanes,y=u.clipIntersection,m=u.clipShadows,p=i.get(u);if(!s||g===null||g.length===0||r&&!m)r?h(null):c();else{let _=r?0:n,A=_*4,M=p.clippingState||null;l.value=M,M=h(g,d,A,f);for(let C=0;C!==A;++C)M[C]=t[C];p.clippingState=M,this.numIntersection=y?this.numPlanes:0,this.numPlanes+=_}};function c(){l.value!==t&&(l.value=t,l.needsUpdate=n>0),e.numPlanes=n,e.numIntersection=0}function h(u,d,f,g){let y=u!==null?u.length:0,m=null;if(y!==0){if(m=l.value,g!==!0||m===null){let p=f+y*4,_=d.matrixWorldInverse;a.getNormalMatrix(_),(m===null||m.length<p)&&(m=new Float32Array(p));for(let A=0,M=f;A!==y;++A,M+=4)o.copy(u[A]).applyMatrix4(_,a),o.normal.toArray(m,M),m[M+3]=o.constant}l.value=m,l.needsUpdate=!0}return e.numPlanes=y,e.numIntersection=0,m}}var Ga=class extends ri{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},s=[n,n,n,n,n,n];this.texture=new fa(s),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new Vs(5,5,5),r=new yi({name:"CubemapFromEquirect",uniforms:pr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Nn,blending:hr});r.uniforms.tEquirect.value=t;let o=new At(s,r),a=t.minFilter;return t.minFilter===Di&&(t.minFilter=Ln),new lo(1,10,this).update(e,o),t.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(e,t=!0,n=!0,s=!0){let r=e.getRenderTarget();for(let o=0;o<6;o++)e.setRenderTarget(this,o),e.clear(t,n,s);e.setRenderTarget(r)}},zm=256,Ib=3,Lb=20,cg=256,hg=16,Nb=3,Db=new k,Ub=new Be,ih=class i{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new lo(1,10,null),this._boxMesh=new At(new Vs(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,s=100,r={}){let{size:o=256,position:a=Db}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);t>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,d=l.autoClearColor,f=l.autoClearDepth,g=l.autoClearStencil,y=e.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,y===null&&(e.background=l.getClearColor(Ub));let m=new lo(n,s,h);return m.position.copy(a),m.update(l,e),l.autoClear=u,l.autoClearColor=d,l.autoClearDepth=f,l.autoClearStencil=g,e.background=y,t>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Gm(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Vm(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(zm,Td(e))}_fromTexture(e,t){e.mapping===dr||e.mapping===uo?this._setSize(e.image.length===0?zm:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=Hm(e,!1,!1),n=Math.log2(e)-Ib;for(let s=0;s<=n;s++)t.texture.mipmaps.push({width:e>>s,height:e>>s});return t.texture.name="PMREM",t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Hm(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=e,r.activeMipmapLevel=t;let o=e.width>>t;e.viewport.set(0,0,o,o),r.update(this._renderer,s),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===dr||e.mapping===uo?(this._cubemapMaterial===null&&(this._cubemapMaterial=Gm()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Vm()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(e){this._ggxMaterial===null&&(this._ggxMaterial=Fb(),this._integrationMaterial=Ob());let t=this._cubeSize,n=e.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(t/hg);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-Nb)r.roughness.value=a,this._renderCube(e,o,this._integrationMaterial);else{let l=a>0?Math.log2(t)+.5*Math.log2(6/(cg*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(e,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=kb());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(e,0,n),s.envMap.value=e.texture,this._renderCube(r,0,n)}};function Hm(i,e,t){return new Ga(i,{minFilter:Di,generateMipmaps:e,type:Fi,colorSpace:ta,depthBuffer:t})}function Wa(i,e,t){return new yi({name:i,uniforms:e,vertexShader:ut.cube_vert,fragmentShader:t,side:Nn,blending:hr,depthTest:!1,depthWrite:!1})}function Fb(){return Wa("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${cg}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function Ob(){return Wa("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:hg}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function kb(){return Wa("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${Lb}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function Vm(){return Wa("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function Gm(){return Wa("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function Bb(i){let e=new WeakMap,t=new WeakMap,n=null;function s(d,f=!1){return d==null?null:f?o(d):r(d)}function r(d){if(d&&d.isTexture){let f=d.mapping;if(f===mc||f===gc)if(e.has(d)){let g=e.get(d).texture;return a(g,d.mapping)}else{let g=d.image;if(g&&g.height>0){let y=new Ga(g.height);return y.fromEquirectangularTexture(i,d),e.set(d,y),d.addEventListener("dispose",c),a(y.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let f=d.mapping,g=f===mc||f===gc,y=f===dr||f===uo;if(g||y){let m=t.get(d),p=m!==void 0?m.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==p)return n===null&&(n=new ih(i)),m=g?n.fromEquirectangular(d,m):n.fromCubemap(d,m),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),m.texture;if(m!==void 0)return m.texture;{let _=d.image;return g&&_&&_.height>0||y&&_&&l(_)?(n===null&&(n=new ih(i)),m=g?n.fromEquirectangular(d):n.fromCubemap(d),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),d.addEventListener("dispose",h),m.texture):null}}}return d}function a(d,f){return f===mc?d.mapping=dr:f===gc&&(d.mapping=uo),d}function l(d){let f=0,g=6;for(let y=0;y<g;y++)d[y]!==void 0&&f++;return f===g}function c(d){let f=d.target;f.removeEventListener("dispose",c);let g=e.get(f);g!==void 0&&(e.delete(f),g.dispose())}function h(d){let f=d.target;f.removeEventListener("dispose",h);let g=t.get(f);g!==void 0&&(t.delete(f),g.dispose())}function u(){e=new WeakMap,t=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function zb(i){let e={};function t(n){if(e[n]!==void 0)return e[n];let s=i.getExtension(n);return e[n]=s,s}return{has:function(n){return t(n)!==null},init:function(){t("EXT_color_buffer_float"),t("WEBGL_clip_cull_distance"),t("OES_texture_float_linear"),t("EXT_color_buffer_half_float"),t("WEBGL_multisampled_render_to_texture"),t("WEBGL_render_shared_exponent")},get:function(n){let s=t(n);return s===null&&Ko("WebGLRenderer: "+n+" extension not supported."),s}}}function Hb(i,e,t,n){let s={},r=new WeakMap,o=new FinalizationRegistry(g=>delete s[g]);function a(g){l(g.target)}function l(g){g.index!==null&&e.remove(g.index);for(let m in g.attributes)e.remove(g.attributes[m]);g.removeEventListener("dispose",a),delete s[g.id],o.unregister(g);let y=r.get(g);y&&(e.remove(y),r.delete(g)),n.releaseStatesOfGeometry(g),g.isInstancedBufferGeometry===!0&&delete g._maxInstanceCount,t.memory.geometries--}function c(g,y){return s[y.id]!==void 0||(y.addEventListener("dispose",a),s[y.id]=new WeakRef(y),o.register(y,y.id,y),t.memory.geometries++),y}function h(g){let y=g.attributes;for(let m in y)e.update(y[m],i.ARRAY_BUFFER)}function u(g){let y=g.index,m=g.attributes.position,p=0;if(m===void 0)return;let _=y!==null?y.array.length:m.array.length/3-1,A=m.count>=65535?ca:la,M=new A(Math.ceil(_/3)*6,1),C=M.array;if(y!==null){let x=y.array;p=y.version;for(let E=0,O=0;E<_;E+=3){let I=x[E+0],L=x[E+1],z=x[E+2];C[O++]=I,C[O++]=L,C[O++]=L,C[O++]=z,C[O++]=z,C[O++]=I}}else{p=m.version;for(let x=0,E=0;x<_;x+=3){let O=x+0,I=x+1,L=x+2;C[E++]=O,C[E++]=I,C[E++]=I,C[E++]=L,C[E++]=L,C[E++]=O}}M.version=p;let T=r.get(g);T&&e.remove(T),r.set(g,M)}function d(g){let y=r.get(g);if(y){let m=g.index;m!==null&&y.version<m.version&&u(g)}else u(g);return r.get(g)}function f(){for(let g in s){let y=s[g].deref();y!==void 0&&l(y)}}return{get:c,update:h,getWireframeAttribute:d,dispose:f}}function Vb(i,e,t){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,d){i.drawElements(n,d,r,u*o),t.update(d,n,1)}function c(u,d,f){f!==0&&(i.drawElementsInstanced(n,d,r,u*o,f),t.update(d,n,f))}function h(u,d,f){if(f===0)return;e.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,d,0,r,u,0,f);let y=0;for(let m=0;m<f;m++)y+=d[m];t.update(y,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function Gb(i){let e={geometries:0,textures:0},t={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(t.calls++,o){case i.TRIANGLES:t.triangles+=a*(r/3);break;case i.LINES:t.lines+=a*(r/2);break;case i.LINE_STRIP:t.lines+=a*(r-1);break;case i.LINE_LOOP:t.lines+=a*r;break;case i.POINTS:t.points+=a*r;break;default:Ke("WebGLInfo: Unknown draw mode:",o);break}}function s(){t.calls=0,t.triangles=0,t.points=0,t.lines=0}return{memory:e,render:t,programs:null,autoReset:!0,reset:s,update:n}}function Wb(i,e,t){let n=new WeakMap,s=new Zt;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,d=n.get(a);if(d===void 0||d.count!==u){let O=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",O)};d!==void 0&&d.texture.dispose();let f=a.morphAttributes.position!==void 0,g=a.morphAttributes.normal!==void 0,y=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],_=a.morphAttributes.color||[],A=0;f===!0&&(A=1),g===!0&&(A=2),y===!0&&(A=3);let M=a.attributes.position.count*A,C=1;M>e.maxTextureSize&&(C=Math.ceil(M/e.maxTextureSize),M=e.maxTextureSize);let T=new Float32Array(M*C*4*u),x=new ra(T,M,C,u);x.type=_i,x.needsUpdate=!0;let E=A*4;for(let I=0;I<u;I++){let L=m[I],z=p[I],H=_[I],D=M*C*4*I;for(let W=0;W<L.count;W++){let Y=W*E;f===!0&&(s.fromBufferAttribute(L,W),T[D+Y+0]=s.x,T[D+Y+1]=s.y,T[D+Y+2]=s.z,T[D+Y+3]=0),g===!0&&(s.fromBufferAttribute(z,W),T[D+Y+4]=s.x,T[D+Y+5]=s.y,T[D+Y+6]=s.z,T[D+Y+7]=0),y===!0&&(s.fromBufferAttribute(H,W),T[D+Y+8]=s.x,T[D+Y+9]=s.y,T[D+Y+10]=s.z,T[D+Y+11]=H.itemSize===4?s.w:1)}}d={count:u,texture:x,size:new We(M,C)},n.set(a,d),a.addEventListener("dispose",O)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,t);else{let f=0;for(let y=0;y<c.length;y++)f+=c[y];let g=a.morphTargetsRelative?1:1-f;l.getUniforms().setValue(i,"morphTargetBaseInfluence",g),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",d.texture,t),l.getUniforms().setValue(i,"morphTargetsTextureSize",d.size)}return{update:r}}function Xb(i,e,t,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,d=e.get(c,u);if(r.get(d)!==h&&(e.update(d),r.set(d,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(t.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&t.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let f=c.skeleton;r.get(f)!==h&&(f.update(),r.set(f,h))}return d}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),t.remove(h.instanceMatrix),h.instanceColor!==null&&t.remove(h.instanceColor)}return{update:o,dispose:a}}var qb={[ad]:"LINEAR_TONE_MAPPING",[ld]:"REINHARD_TONE_MAPPING",[cd]:"CINEON_TONE_MAPPING",[La]:"ACES_FILMIC_TONE_MAPPING",[ud]:"AGX_TONE_MAPPING",[dd]:"NEUTRAL_TONE_MAPPING",[hd]:"CUSTOM_TONE_MAPPING"};function Yb(i,e,t,n,s,r){let o=new ri(e,t,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new vt;h.setAttribute("position",new Tt([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new Tt([0,2,0,0,2,0],2));let u=new ec({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new At(h,u),f=new lr(-1,1,1,-1,0,1),g=null,y=null,m=!1,p,_=null,A=[],M=!1;this.setSize=function(C,T){o.setSize(C,T),a!==null&&a.setSize(C,T),l!==null&&l.setSize(C,T);for(let x=0;x<A.length;x++){let E=A[x];E.setSize&&E.setSize(C,T)}},this.setEffects=function(C){A=C,M=A.length>0&&A[0].isRenderPass===!0;let T=o.width,x=o.height;A.length>0&&a===null&&(a=new ri(T,x,{type:Fi,depthBuffer:!1,stencilBuffer:!1}),l=new ri(T,x,{type:Fi,depthBuffer:!1,stencilBuffer:!1}));let E=s===!0&&A.some(O=>O.needsDepthTexture===!0);E!==(o.depthTexture!==null)&&(E===!0&&c===null&&(c=new bs(T,x),r===!0&&(c.format=Ms,c.type=fr)),o.dispose(),o.depthTexture=E?c:null,o.resolveDepthBuffer=E,o.storeMultisampledDepthBuffer=E);for(let O=0;O<A.length;O++){let I=A[O];I.setSize&&I.setSize(T,x),E&&I.needsDepthTexture===!0&&I.setDepthTexture&&I.setDepthTexture(c)}},this.begin=function(C,T){if(m||C.toneMapping===ts&&A.length===0)return!1;if(_=T,T!==null){let x=T.width,E=T.height;(o.width!==x||o.height!==E)&&this.setSize(x,E)}return M===!1&&C.setRenderTarget(o),p=C.toneMapping,C.toneMapping=ts,!0},this.hasRenderPass=function(){return M},this.end=function(C,T){C.toneMapping=p,m=!0;let x=o,E=a;for(let O=0;O<A.length;O++){let I=A[O];I.enabled!==!1&&(I.render(C,E,x,T),I.needsSwap!==!1&&(x=E,E=E===a?l:a))}if(g!==C.outputColorSpace||y!==C.toneMapping){g=C.outputColorSpace,y=C.toneMapping,u.defines={},yt.getTransfer(g)===Ct&&(u.defines.SRGB_TRANSFER="");let O=qb[y];O&&(u.defines[O]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=x.texture,C.setRenderTarget(_),C.render(d,f),_=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var ug=new Xn,dg=new bs(1,1),fg=new ma(1),pg=new ra,mg=new $l,gg=new fa,Wm=[],Xm=[],qm=new Float32Array(16),Ym=new Float32Array(9),$m=new Float32Array(4);function vo(i,e,t){let n=i[0];if(n<=0||n>0)return i;let s=e*t,r=Wm[s];if(r===void 0&&(r=new Float32Array(s),Wm[s]=r),e!==0){n.toArray(r,0);for(let o=1,a=0;o!==e;++o)a+=t,i[o].toArray(r,a)}return r}function yn(i,e){if(i.length!==e.length)return!1;for(let t=0,n=i.length;t<n;t++)if(i[t]!==e[t])return!1;return!0}function _n(i,e){for(let t=0,n=e.length;t<n;t++)i[t]=e[t]}function rh(i,e){let t=Xm[e];t===void 0&&(t=new Int32Array(e),Xm[e]=t);for(let n=0;n!==e;++n)t[n]=i.allocateTextureUnit();return t}function $b(i,e){let t=this.cache;t[0]!==e&&(i.uniform1f(this.addr,e),t[0]=e)}function Zb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2f(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(yn(t,e))return;i.uniform2fv(this.addr,e),_n(t,e)}}function Jb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3f(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else if(e.r!==void 0)(t[0]!==e.r||t[1]!==e.g||t[2]!==e.b)&&(i.uniform3f(this.addr,e.r,e.g,e.b),t[0]=e.r,t[1]=e.g,t[2]=e.b);else{if(yn(t,e))return;i.uniform3fv(this.addr,e),_n(t,e)}}function Kb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4f(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(yn(t,e))return;i.uniform4fv(this.addr,e),_n(t,e)}}function jb(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(yn(t,e))return;i.uniformMatrix2fv(this.addr,!1,e),_n(t,e)}else{if(yn(t,n))return;$m.set(n),i.uniformMatrix2fv(this.addr,!1,$m),_n(t,n)}}function Qb(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(yn(t,e))return;i.uniformMatrix3fv(this.addr,!1,e),_n(t,e)}else{if(yn(t,n))return;Ym.set(n),i.uniformMatrix3fv(this.addr,!1,Ym),_n(t,n)}}function eM(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(yn(t,e))return;i.uniformMatrix4fv(this.addr,!1,e),_n(t,e)}else{if(yn(t,n))return;qm.set(n),i.uniformMatrix4fv(this.addr,!1,qm),_n(t,n)}}function tM(i,e){let t=this.cache;t[0]!==e&&(i.uniform1i(this.addr,e),t[0]=e)}function nM(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2i(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(yn(t,e))return;i.uniform2iv(this.addr,e),_n(t,e)}}function iM(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3i(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(yn(t,e))return;i.uniform3iv(this.addr,e),_n(t,e)}}function sM(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4i(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(yn(t,e))return;i.uniform4iv(this.addr,e),_n(t,e)}}function rM(i,e){let t=this.cache;t[0]!==e&&(i.uniform1ui(this.addr,e),t[0]=e)}function oM(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2ui(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(yn(t,e))return;i.uniform2uiv(this.addr,e),_n(t,e)}}function aM(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3ui(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(yn(t,e))return;i.uniform3uiv(this.addr,e),_n(t,e)}}function lM(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4ui(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(yn(t,e))return;i.uniform4uiv(this.addr,e),_n(t,e)}}function oh(i){return i.version===0&&(i.compareFunction=Md,i.needsUpdate=!0),i}function cM(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=oh(dg):r=ug,t.setTexture2D(e||r,s)}function hM(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture3D(e||mg,s)}function uM(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=oh(fg):r=gg,t.setTextureCube(e||r,s)}function dM(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture2DArray(e||pg,s)}function fM(i){switch(i){case 5126:return $b;case 35664:return Zb;case 35665:return Jb;case 35666:return Kb;case 35674:return jb;case 35675:return Qb;case 35676:return eM;case 5124:case 35670:return tM;case 35667:case 35671:return nM;case 35668:case 35672:return iM;case 35669:case 35673:return sM;case 5125:return rM;case 36294:return oM;case 36295:return aM;case 36296:return lM;case 35678:case 36198:case 36298:case 36306:case 35682:return cM;case 35679:case 36299:case 36307:return hM;case 35680:case 36300:case 36308:case 36293:return uM;case 36289:case 36303:case 36311:case 36292:return dM}}function pM(i,e){i.uniform1fv(this.addr,e)}function mM(i,e){let t=vo(e,this.size,2);i.uniform2fv(this.addr,t)}function gM(i,e){let t=vo(e,this.size,3);i.uniform3fv(this.addr,t)}function vM(i,e){let t=vo(e,this.size,4);i.uniform4fv(this.addr,t)}function xM(i,e){let t=vo(e,this.size,4);i.uniformMatrix2fv(this.addr,!1,t)}function yM(i,e){let t=vo(e,this.size,9);i.uniformMatrix3fv(this.addr,!1,t)}function _M(i,e){let t=vo(e,this.size,16);i.uniformMatrix4fv(this.addr,!1,t)}function bM(i,e){i.uniform1iv(this.addr,e)}function MM(i,e){i.uniform2iv(this.addr,e)}function SM(i,e){i.uniform3iv(this.addr,e)}function wM(i,e){i.uniform4iv(this.addr,e)}function EM(i,e){i.uniform1uiv(this.addr,e)}function TM(i,e){i.uniform2uiv(this.addr,e)}function AM(i,e){i.uniform3uiv(this.addr,e)}function RM(i,e){i.uniform4uiv(this.addr,e)}function CM(i,e,t){let n=this.cache,s=e.length,r=rh(t,s);yn(n,r)||(i.uniform1iv(this.addr,r),_n(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=oh(dg):o=ug;for(let a=0;a!==s;++a)t.setTexture2D(e[a]||o,r[a])}function PM(i,e,t){let n=this.cache,s=e.length,r=rh(t,s);yn(n,r)||(i.uniform1iv(this.addr,r),_n(n,r));for(let o=0;o!==s;++o)t.setTexture3D(e[o]||mg,r[o])}function IM(i,e,t){let n=this.cache,s=e.length,r=rh(t,s);yn(n,r)||(i.uniform1iv(this.addr,r),_n(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=oh(fg):o=gg;for(let a=0;a!==s;++a)t.setTextureCube(e[a]||o,r[a])}function LM(i,e,t){let n=this.cache,s=e.length,r=rh(t,s);yn(n,r)||(i.uniform1iv(this.addr,r),_n(n,r));for(let o=0;o!==s;++o)t.setTexture2DArray(e[o]||pg,r[o])}function NM(i){switch(i){case 5126:return pM;case 35664:return mM;case 35665:return gM;case 35666:return vM;case 35674:return xM;case 35675:return yM;case 35676:return _M;case 5124:case 35670:return bM;case 35667:case 35671:return MM;case 35668:case 35672:return SM;case 35669:case 35673:return wM;case 5125:return EM;case 36294:return TM;case 36295:return AM;case 36296:return RM;case 35678:case 36198:case 36298:case 36306:case 35682:return CM;case 35679:case 36299:case 36307:return PM;case 35680:case 36300:case 36308:case 36293:return IM;case 36289:case 36303:case 36311:case 36292:return LM}}var Ud=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=fM(t.type)}},Fd=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=NM(t.type)}},Od=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(e,t[a.id],n)}}},Nd=/(\w+)(\])?(\[|\.)?/g;function Zm(i,e){i.seq.push(e),i.map[e.id]=e}function DM(i,e,t){let n=i.name,s=n.length;for(Nd.lastIndex=0;;){let r=Nd.exec(n),o=Nd.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){Zm(t,c===void 0?new Ud(a,i,e):new Fd(a,i,e));break}else{let u=t.map[a];u===void 0&&(u=new Od(a),Zm(t,u)),t=u}}}var go=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=e.getActiveUniform(t,o),l=e.getUniformLocation(t,a.name);DM(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===e.SAMPLER_2D_SHADOW||o.type===e.SAMPLER_CUBE_SHADOW||o.type===e.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(e,t,n,s){let r=this.map[t];r!==void 0&&r.setValue(e,n,s)}setOptional(e,t,n){let s=t[n];s!==void 0&&this.setValue(e,n,s)}static upload(e,t,n,s){for(let r=0,o=t.length;r!==o;++r){let a=t[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(e,l.value,s)}}static seqWithValue(e,t){let n=[];for(let s=0,r=e.length;s!==r;++s){let o=e[s];o.id in t&&n.push(o)}return n}};function Jm(i,e,t){let n=i.createShader(e);return i.shaderSource(n,t),i.compileShader(n),n}var UM=37297,FM=0;function OM(i,e){let t=i.split(`
`),n=[],s=Math.max(e-6,0),r=Math.min(e+6,t.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===e?">":" "} ${a}: ${t[o]}`)}return n.join(`
`)}var Km=new tt;function kM(i){yt._getMatrix(Km,yt.workingColorSpace,i);let e=`mat3( ${Km.elements.map(t=>t.toFixed(4))} )`;switch(yt.getTransfer(i)){case na:return[e,"LinearTransferOETF"];case Ct:return[e,"sRGBTransferOETF"];default:return $e("WebGLProgram: Unsupported color space: ",i),[e,"LinearTransferOETF"]}}function jm(i,e,t){let n=i.getShaderParameter(e,i.COMPILE_STATUS),r=(i.getShaderInfoLog(e)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return t.toUpperCase()+`

`+r+`

`+OM(i.getShaderSource(e),a)}else return r}function BM(i,e){let t=kM(e);return[`vec4 ${i}( vec4 value ) {`,`	return ${t[1]}( vec4( ${t[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var zM={[ad]:"Linear",[ld]:"Reinhard",[cd]:"Cineon",[La]:"ACESFilmic",[ud]:"AgX",[dd]:"Neutral",[hd]:"Custom"};function HM(i,e){let t=zM[e];return t===void 0?($e("WebGLProgram: Unsupported toneMapping:",e),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+t+"ToneMapping( color ); }"}var nh=new k;function VM(){yt.getLuminanceCoefficients(nh);let i=nh.x.toFixed(4),e=nh.y.toFixed(4),t=nh.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${e}, ${t} );`,"	return dot( weights, rgb );","}"].join(`
`)}function GM(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Va).join(`
`)}function WM(i){let e=[];for(let t in i){let n=i[t];n!==!1&&e.push("#define "+t+" "+n)}return e.join(`
`)}function XM(i,e){let t={},n=i.getProgramParameter(e,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(e,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),t[o]={type:r.type,location:i.getAttribLocation(e,o),locationSize:a}}return t}function Va(i){return i!==""}function Qm(i,e){let t=e.numSpotLightShadows+e.numSpotLightMaps-e.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,e.numSunLights).replace(/NUM_DIR_LIGHTS/g,e.numDirLights).replace(/NUM_SPOT_LIGHTS/g,e.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,e.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,t).replace(/NUM_RECT_AREA_LIGHTS/g,e.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,e.numPointLights).replace(/NUM_HEMI_LIGHTS/g,e.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,e.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,e.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,e.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,e.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,e.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,e.numLightProbeGrids)}function eg(i,e){return i.replace(/NUM_CLIPPING_PLANES/g,e.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,e.numClippingPlanes-e.numClipIntersection)}var qM=/^[ \t]*#include +<([\w\d./]+)>/gm;function kd(i){return i.replace(qM,YM)}function YM(i,e){let t=ut[e];if(t===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+e+">");return kd(t)}var $M=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function tg(i){return i.replace($M,ZM)}function ZM(i,e,t,n){let s="";for(let r=parseInt(e);r<parseInt(t);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function ng(i){let e=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?e+=`
#define HIGH_PRECISION`:i.precision==="mediump"?e+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(e+=`
#define LOW_PRECISION`),e}var JM={[cr]:"SHADOWMAP_TYPE_PCF",[co]:"SHADOWMAP_TYPE_VSM"};function KM(i){return JM[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var jM={[uo]:"ENVMAP_MODE_REFRACTION"};function QM(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":jM[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var eS={[pc]:"ENVMAP_BLENDING_MULTIPLY",[_m]:"ENVMAP_BLENDING_MIX",[bm]:"ENVMAP_BLENDING_ADD"};function tS(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":eS[i.combine]||"ENVMAP_BLENDING_NONE"}function nS(i,e,t,n){let s=i.getContext(),r=t.defines,o=t.vertexShader,a=t.fragmentShader,l=KM(t),c=t.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=QM(t),u=tS(t),d=GM(t),f=WM(r),g=s.createProgram(),y,m,p=t.glslVersion?"#version "+t.glslVersion+`
`:"";t.isRawShaderMaterial?(y=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Va).join(`
`),y.length>0&&(y+=`
`),m=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Va).join(`
`),m.length>0&&(m+=`
`)):(y=[ng(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",t.batching?"#define USE_BATCHING":"",t.batchingColor?"#define USE_BATCHING_COLOR":"",t.instancing?"#define USE_INSTANCING":"",t.instancingColor?"#define USE_INSTANCING_COLOR":"",t.instancingMorph?"#define USE_INSTANCING_MORPH":"",t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.map?"#define USE_MAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+h:"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.displacementMap?"#define USE_DISPLACEMENTMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.mapUv?"#define MAP_UV "+t.mapUv:"",t.alphaMapUv?"#define ALPHAMAP_UV "+t.alphaMapUv:"",t.lightMapUv?"#define LIGHTMAP_UV "+t.lightMapUv:"",t.aoMapUv?"#define AOMAP_UV "+t.aoMapUv:"",t.emissiveMapUv?"#define EMISSIVEMAP_UV "+t.emissiveMapUv:"",t.bumpMapUv?"#define BUMPMAP_UV "+t.bumpMapUv:"",t.normalMapUv?"#define NORMALMAP_UV "+t.normalMapUv:"",t.displacementMapUv?"#define DISPLACEMENTMAP_UV "+t.displacementMapUv:"",t.metalnessMapUv?"#define METALNESSMAP_UV "+t.metalnessMapUv:"",t.roughnessMapUv?"#define ROUGHNESSMAP_UV "+t.roughnessMapUv:"",t.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+t.anisotropyMapUv:"",t.clearcoatMapUv?"#define CLEARCOATMAP_UV "+t.clearcoatMapUv:"",t.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+t.clearcoatNormalMapUv:"",t.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+t.clearcoatRoughnessMapUv:"",t.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+t.diffuseRoughnessMapUv:"",t.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+t.iridescenceMapUv:"",t.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+t.iridescenceThicknessMapUv:"",t.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+t.sheenColorMapUv:"",t.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+t.sheenRoughnessMapUv:"",t.specularMapUv?"#define SPECULARMAP_UV "+t.specularMapUv:"",t.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+t.specularColorMapUv:"",t.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+t.specularIntensityMapUv:"",t.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+t.transmissionMapUv:"",t.thicknessMapUv?"#define THICKNESSMAP_UV "+t.thicknessMapUv:"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexNormals?"#define HAS_NORMAL":"",t.vertexColors?"#define USE_COLOR":"",t.vertexAlphas?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.flatShading?"#define FLAT_SHADED":"",t.skinning?"#define USE_SKINNING":"",t.morphTargets?"#define USE_MORPHTARGETS":"",t.morphNormals&&t.flatShading===!1?"#define USE_MORPHNORMALS":"",t.morphColors?"#define USE_MORPHCOLORS":"",t.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+t.morphTextureStride:"",t.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+t.morphTargetsCount:"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.sizeAttenuation?"#define USE_SIZEATTENUATION":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Va).join(`
`),m=[ng(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",t.map?"#define USE_MAP":"",t.matcap?"#define USE_MATCAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+c:"",t.envMap?"#define "+h:"",t.envMap?"#define "+u:"",t.envMapPMREM?"#define ENVMAP_MAX_LOD "+t.envMapMaxLod+".0":"",t.envMapPMREM?"#define ENVMAP_SIZE "+t.envMapSize+".0":"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoat?"#define USE_CLEARCOAT":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.dispersion?"#define USE_DISPERSION":"",t.retroreflection?"#define USE_RETROREFLECTION":"",t.iridescence?"#define USE_IRIDESCENCE":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaTest?"#define USE_ALPHATEST":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.sheen?"#define USE_SHEEN":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexColors||t.instancingColor?"#define USE_COLOR":"",t.vertexAlphas||t.batchingColor?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.gradientMap?"#define USE_GRADIENTMAP":"",t.flatShading?"#define FLAT_SHADED":"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",t.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",t.toneMapping!==ts?"#define TONE_MAPPING":"",t.toneMapping!==ts?ut.tonemapping_pars_fragment:"",t.toneMapping!==ts?HM("toneMapping",t.toneMapping):"",t.dithering?"#define DITHERING":"",t.opaque?"#define OPAQUE":"",ut.colorspace_pars_fragment,BM("linearToOutputTexel",t.outputColorSpace),VM(),t.useDepthPacking?"#define DEPTH_PACKING "+t.depthPacking:"",`
`].filter(Va).join(`
`)),o=kd(o),o=Qm(o,t),o=eg(o,t),a=kd(a),a=Qm(a,t),a=eg(a,t),o=tg(o),a=tg(a),t.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,y=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+y,m=["#define varying in",t.glslVersion===wd?"":"layout(location = 0) out highp vec4 pc_fragColor;",t.glslVersion===wd?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let _=p+y+o,A=p+m+a,M=Jm(s,s.VERTEX_SHADER,_),C=Jm(s,s.FRAGMENT_SHADER,A);s.attachShader(g,M),s.attachShader(g,C),t.index0AttributeName!==void 0?s.bindAttribLocation(g,0,t.index0AttributeName):t.hasPositionAttribute===!0&&s.bindAttribLocation(g,0,"position"),s.linkProgram(g);function T(I){if(i.debug.checkShaderErrors){let L=s.getProgramInfoLog(g)||"",z=s.getShaderInfoLog(M)||"",H=s.getShaderInfoLog(C)||"",D=L.trim(),W=z.trim(),Y=H.trim(),G=!0,ce=!0;if(s.getProgramParameter(g,s.LINK_STATUS)===!1)if(G=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,g,M,C);else{let J=jm(s,M,"vertex"),Q=jm(s,C,"fragment");Ke("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(g,s.VALIDATE_STATUS)+`

Material Name: `+I.name+`
Material Type: `+I.type+`

Program Info Log: `+D+`
`+J+`
`+Q)}else D!==""?$e("WebGLProgram: Program Info Log:",D):(W===""||Y==="")&&(ce=!1);ce&&(I.diagnostics={runnable:G,programLog:D,vertexShader:{log:W,prefix:y},fragmentShader:{log:Y,prefix:m}})}s.deleteShader(M),s.deleteShader(C),x=new go(s,g),E=XM(s,g)}let x;this.getUniforms=function(){return x===void 0&&T(this),x};let E;this.getAttributes=function(){return E===void 0&&T(this),E};let O=t.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return O===!1&&(O=s.getProgramParameter(g,UM)),O},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(g),this.program=void 0},this.type=t.shaderType,this.name=t.shaderName,this.id=FM++,this.cacheKey=e,this.usedTimes=1,this.program=g,this.vertexShader=M,this.fragmentShader=C,this}var iS=0,Bd=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let s=this._getShaderCacheForMaterial(e);return s.has(t)===!1&&(s.add(t),t.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let n of t)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new zd(e),t.set(e,n)),n}},zd=class{constructor(e){this.id=iS++,this.code=e,this.usedTimes=0}};function sS(i){return i===Ys||i===ka||i===Ba}function rS(i,e,t,n,s,r){let o=new so,a=new Bd,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(x){return l.add(x),x===0?"uv":`uv${x}`}function g(x,E,O,I,L,z){let H=I.fog,D=L.geometry,W=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?I.environment:null,Y=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,G=e.get(x.envMap||W,Y),ce=d[x.type],J=n.precision;x.precision!==null&&(J=n.getMaxPrecision(x.precision),J!==x.precision&&$e("WebGLProgram.getParameters:",x.precision,"not supported, using",J,"instead."));let Q=D.morphAttributes.position||D.morphAttributes.normal||D.morphAttributes.color,se=Q!==void 0?Q.length:0,de=0;D.morphAttributes.position!==void 0&&(de=1),D.morphAttributes.normal!==void 0&&(de=2),D.morphAttributes.color!==void 0&&(de=3);let ue,ee,me,xe;if(ce){let Re=is[ce];ue=Re.vertexShader,ee=Re.fragmentShader}else{ue=x.vertexShader,ee=x.fragmentShader;let Re=a.getVertexShaderStage(x),ot=a.getFragmentShaderStage(x);a.update(x,Re,ot),me=Re.id,xe=ot.id}let Ae=i.getRenderTarget(),Me=i.state.buffers.depth.getReversed(),Xe=L.isInstancedMesh===!0,st=L.isBatchedMesh===!0,Ve=!!x.map,dt=!!x.matcap,ct=!!G,nt=ct&&G.isPMREMTexture===!0,Yt=!!x.aoMap,zt=!!x.lightMap,ln=!!x.bumpMap&&x.wireframe===!1,Dt=!!x.normalMap,Sn=!!x.displacementMap,Mt=!!x.emissiveMap,vn=!!x.metalnessMap,Kt=!!x.roughnessMap,cn=x.anisotropy>0,F=x.clearcoat>0,Ce=x.diffuseRoughness>0,Ze=x.dispersion>0,rt=x.retroreflectivity>0,Se=x.iridescence>0,Ot=x.sheen>0,He=x.transmission>0,Ye=cn&&!!x.anisotropyMap,R=F&&!!x.clearcoatMap,b=F&&!!x.clearcoatNormalMap,X=F&&!!x.clearcoatRoughnessMap,he=Ce&&!!x.diffuseRoughnessMap,oe=Se&&!!x.iridescenceMap,ve=Se&&!!x.iridescenceThicknessMap,ye=Ot&&!!x.sheenColorMap,te=Ot&&!!x.sheenRoughnessMap,ie=!!x.specularMap,pe=!!x.specularColorMap,U=!!x.specularIntensityMap,re=He&&!!x.transmissionMap,ne=He&&!!x.thicknessMap,we=!!x.gradientMap,ge=!!x.alphaMap,be=x.alphaTest>0,Ge=!!x.alphaHash,je=!!x.extensions,le=ts;x.toneMapped&&(Ae===null||Ae.isXRRenderTarget===!0)&&(le=i.toneMapping);let Oe=nt?G.isCompressedCubeTexture?G.image[0].mipmaps:G.mipmaps:null,Qe={shaderID:ce,shaderType:x.type,shaderName:x.name,vertexShader:ue,fragmentShader:ee,defines:x.defines,customVertexShaderID:me,customFragmentShaderID:xe,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:J,batching:st,batchingColor:st&&L._colorsTexture!==null,instancing:Xe,instancingColor:Xe&&L.instanceColor!==null,instancingMorph:Xe&&L.morphTexture!==null,outputColorSpace:Ae===null?i.outputColorSpace:Ae.isXRRenderTarget===!0?Ae.texture.colorSpace:yt.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Ve,matcap:dt,envMap:ct,envMapMode:ct&&G.mapping,envMapPMREM:nt,envMapMaxLod:nt?Oe.length-1:null,envMapSize:nt?Oe[0].width:null,aoMap:Yt,lightMap:zt,bumpMap:ln,normalMap:Dt,displacementMap:Sn,emissiveMap:Mt,normalMapObjectSpace:Dt&&x.normalMapType===wm,normalMapTangentSpace:Dt&&x.normalMapType===za,packedNormalMap:Dt&&x.normalMapType===za&&sS(x.normalMap.format),metalnessMap:vn,roughnessMap:Kt,anisotropy:cn,anisotropyMap:Ye,clearcoat:F,clearcoatMap:R,clearcoatNormalMap:b,clearcoatRoughnessMap:X,diffuseRoughness:Ce,diffuseRoughnessMap:he,dispersion:Ze,retroreflection:rt,iridescence:Se,iridescenceMap:oe,iridescenceThicknessMap:ve,sheen:Ot,sheenColorMap:ye,sheenRoughnessMap:te,specularMap:ie,specularColorMap:pe,specularIntensityMap:U,transmission:He,transmissionMap:re,thicknessMap:ne,gradientMap:we,opaque:x.transparent===!1&&x.blending===ho&&x.alphaToCoverage===!1,alphaMap:ge,alphaTest:be,alphaHash:Ge,combine:x.combine,mapUv:Ve&&f(x.map.channel),aoMapUv:Yt&&f(x.aoMap.channel),lightMapUv:zt&&f(x.lightMap.channel),bumpMapUv:ln&&f(x.bumpMap.channel),normalMapUv:Dt&&f(x.normalMap.channel),displacementMapUv:Sn&&f(x.displacementMap.channel),emissiveMapUv:Mt&&f(x.emissiveMap.channel),metalnessMapUv:vn&&f(x.metalnessMap.channel),roughnessMapUv:Kt&&f(x.roughnessMap.channel),anisotropyMapUv:Ye&&f(x.anisotropyMap.channel),clearcoatMapUv:R&&f(x.clearcoatMap.channel),clearcoatNormalMapUv:b&&f(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:X&&f(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:he&&f(x.diffuseRoughnessMap.channel),iridescenceMapUv:oe&&f(x.iridescenceMap.channel),iridescenceThicknessMapUv:ve&&f(x.iridescenceThicknessMap.channel),sheenColorMapUv:ye&&f(x.sheenColorMap.channel),sheenRoughnessMapUv:te&&f(x.sheenRoughnessMap.channel),specularMapUv:ie&&f(x.specularMap.channel),specularColorMapUv:pe&&f(x.specularColorMap.channel),specularIntensityMapUv:U&&f(x.specularIntensityMap.channel),transmissionMapUv:re&&f(x.transmissionMap.channel),thicknessMapUv:ne&&f(x.thicknessMap.channel),alphaMapUv:ge&&f(x.alphaMap.channel),vertexTangents:!!D.attributes.tangent&&(Dt||cn),vertexNormals:!!D.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!D.attributes.color&&D.attributes.color.itemSize===4,pointsUvs:L.isPoints===!0&&!!D.attributes.uv&&(Ve||ge),fog:!!H,useFog:x.fog===!0,fogExp2:!!H&&H.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||D.attributes.normal===void 0&&Dt===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:Me,skinning:L.isSkinnedMesh===!0,hasPositionAttribute:D.attributes.position!==void 0,morphTargets:D.morphAttributes.position!==void 0,morphNormals:D.morphAttributes.normal!==void 0,morphColors:D.morphAttributes.color!==void 0,morphTargetsCount:se,morphTextureStride:de,numSunLights:E.sun.length,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numSunLightShadows:E.sunShadowMap.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numLightProbeGrids:z.filter(Re=>Re.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&O.length>0,shadowMapType:i.shadowMap.type,toneMapping:le,decodeVideoTexture:Ve&&x.map.isVideoTexture===!0&&yt.getTransfer(x.map.colorSpace)===Ct,decodeVideoTextureEmissive:Mt&&x.emissiveMap.isVideoTexture===!0&&yt.getTransfer(x.emissiveMap.colorSpace)===Ct,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===Pn,flipSided:x.side===Nn,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:je&&x.extensions.clipCullDistance===!0&&t.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(je&&x.extensions.multiDraw===!0||st)&&t.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:t.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return Qe.vertexUv1s=l.has(1),Qe.vertexUv2s=l.has(2),Qe.vertexUv3s=l.has(3),l.clear(),Qe}function y(x){let E=[];if(x.shaderID?E.push(x.shaderID):(E.push(x.customVertexShaderID),E.push(x.customFragmentShaderID)),x.defines!==void 0)for(let O in x.defines)E.push(O),E.push(x.defines[O]);return x.isRawShaderMaterial===!1&&(m(E,x),p(E,x),E.push(i.outputColorSpace)),E.push(x.customProgramCacheKey),E.join()}function m(x,E){x.push(E.precision),x.push(E.outputColorSpace),x.push(E.envMapMode),x.push(E.envMapPMREM),x.push(E.envMapMaxLod),x.push(E.envMapSize),x.push(E.mapUv),x.push(E.alphaMapUv),x.push(E.lightMapUv),x.push(E.aoMapUv),x.push(E.bumpMapUv),x.push(E.normalMapUv),x.push(E.displacementMapUv),x.push(E.emissiveMapUv),x.push(E.metalnessMapUv),x.push(E.roughnessMapUv),x.push(E.anisotropyMapUv),x.push(E.clearcoatMapUv),x.push(E.clearcoatNormalMapUv),x.push(E.clearcoatRoughnessMapUv),x.push(E.diffuseRoughnessMapUv),x.push(E.iridescenceMapUv),x.push(E.iridescenceThicknessMapUv),x.push(E.sheenColorMapUv),x.push(E.sheenRoughnessMapUv),x.push(E.specularMapUv),x.push(E.specularColorMapUv),x.push(E.specularIntensityMapUv),x.push(E.transmissionMapUv),x.push(E.thicknessMapUv),x.push(E.combine),x.push(E.fogExp2),x.push(E.sizeAttenuation),x.push(E.morphTargetsCount),x.push(E.numSunLights),x.push(E.numDirLights),x.push(E.numPointLights),x.push(E.numSpotLights),x.push(E.numSpotLightMaps),x.push(E.numHemiLights),x.push(E.numRectAreaLights),x.push(E.numSunLightShadows),x.push(E.numDirLightShadows),x.push(E.numPointLightShadows),x.push(E.numSpotLightShadows),x.push(E.numSpotLightShadowsWithMaps),x.push(E.numLightProbes),x.push(E.numLightProbeGrids),x.push(E.shadowMapType),x.push(E.toneMapping),x.push(E.numClippingPlanes),x.push(E.numClipIntersection),x.push(E.depthPacking)}function p(x,E){o.disableAll(),E.instancing&&o.enable(0),E.instancingColor&&o.enable(1),E.instancingMorph&&o.enable(2),E.matcap&&o.enable(3),E.envMap&&o.enable(4),E.normalMapObjectSpace&&o.enable(5),E.normalMapTangentSpace&&o.enable(6),E.clearcoat&&o.enable(7),E.iridescence&&o.enable(8),E.alphaTest&&o.enable(9),E.vertexColors&&o.enable(10),E.vertexAlphas&&o.enable(11),E.vertexUv1s&&o.enable(12),E.vertexUv2s&&o.enable(13),E.vertexUv3s&&o.enable(14),E.vertexTangents&&o.enable(15),E.anisotropy&&o.enable(16),E.alphaHash&&o.enable(17),E.batching&&o.enable(18),E.dispersion&&o.enable(19),E.retroreflection&&o.enable(24),E.diffuseRoughness&&o.enable(25),E.batchingColor&&o.enable(20),E.gradientMap&&o.enable(21),E.packedNormalMap&&o.enable(22),E.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),E.fog&&o.enable(0),E.useFog&&o.enable(1),E.flatShading&&o.enable(2),E.logarithmicDepthBuffer&&o.enable(3),E.reversedDepthBuffer&&o.enable(4),E.skinning&&o.enable(5),E.morphTargets&&o.enable(6),E.morphNormals&&o.enable(7),E.morphColors&&o.enable(8),E.premultipliedAlpha&&o.enable(9),E.shadowMapEnabled&&o.enable(10),E.doubleSided&&o.enable(11),E.flipSided&&o.enable(12),E.useDepthPacking&&o.enable(13),E.dithering&&o.enable(14),E.transmission&&o.enable(15),E.sheen&&o.enable(16),E.opaque&&o.enable(17),E.pointsUvs&&o.enable(18),E.decodeVideoTexture&&o.enable(19),E.decodeVideoTextureEmissive&&o.enable(20),E.alphaToCoverage&&o.enable(21),E.numLightProbeGrids>0&&o.enable(22),E.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function _(x){let E=d[x.type],O;if(E){let I=is[E];O=Om.clone(I.uniforms)}else O=x.uniforms;return O}function A(x,E){let O=h.get(E);return O!==void 0?++O.usedTimes:(O=new nS(i,E,x,s),c.push(O),h.set(E,O)),O}function M(x){if(--x.usedTimes===0){let E=c.indexOf(x);c[E]=c[c.length-1],c.pop(),h.delete(x.cacheKey),x.destroy()}}function C(x){a.remove(x)}function T(){a.dispose()}return{getParameters:g,getProgramCacheKey:y,getUniforms:_,acquireProgram:A,releaseProgram:M,releaseShaderCache:C,programs:c,dispose:T}}function oS(){let i=new WeakMap;function e(o){return i.has(o)}function t(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:e,get:t,remove:n,update:s,dispose:r}}function aS(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.material.id!==e.material.id?i.material.id-e.material.id:i.materialVariant!==e.materialVariant?i.materialVariant-e.materialVariant:i.z!==e.z?i.z-e.z:i.id-e.id}function ig(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.z!==e.z?e.z-i.z:i.id-e.id}function sg(){let i=[],e=0,t=[],n=[],s=[];function r(){e=0,t.length=0,n.length=0,s.length=0}function o(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function a(d,f,g,y,m,p){let _=i[e];return _===void 0?(_={id:d.id,object:d,geometry:f,material:g,materialVariant:o(d),groupOrder:y,renderOrder:d.renderOrder,z:m,group:p},i[e]=_):(_.id=d.id,_.object=d,_.geometry=f,_.material=g,_.materialVariant=o(d),_.groupOrder=y,_.renderOrder=d.renderOrder,_.z=m,_.group=p),e++,_}function l(d,f,g,y,m,p,_){_.reversedDepth===!0&&(m=-m);let A=a(d,f,g,y,m,p);g.transmission>0?n.push(A):g.transparent===!0?s.push(A):t.push(A)}function c(d,f,g,y,m,p){let _=a(d,f,g,y,m,p);g.transmission>0?n.unshift(_):g.transparent===!0?s.unshift(_):t.unshift(_)}function h(d,f){t.length>1&&t.sort(d||aS),n.length>1&&n.sort(f||ig),s.length>1&&s.sort(f||ig)}function u(){for(let d=e,f=i.length;d<f;d++){let g=i[d];if(g.id===null)break;g.id=null,g.object=null,g.geometry=null,g.material=null,g.group=null}}return{opaque:t,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function lS(){let i=new WeakMap;function e(n,s){let r=i.get(n),o;return r===void 0?(o=new sg,i.set(n,[o])):s>=r.length?(o=new sg,r.push(o)):o=r[s],o}function t(){i=new WeakMap}return{get:e,dispose:t}}function cS(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={direction:new k,color:new Be};break;case"SpotLight":t={position:new k,direction:new k,color:new Be,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":t={position:new k,color:new Be,distance:0,decay:0};break;case"HemisphereLight":t={direction:new k,skyColor:new Be,groundColor:new Be};break;case"RectAreaLight":t={color:new Be,position:new k,halfWidth:new k,halfHeight:new k};break}return i[e.id]=t,t}}}function hS(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new We};break;case"SpotLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new We};break;case"PointLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new We,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[e.id]=t,t}}}var uS=0;function dS(i,e){return(e.castShadow?2:0)-(i.castShadow?2:0)+(e.map?1:0)-(i.map?1:0)}function fS(i){let e=new cS,t=hS(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new k);let s=new k,r=new lt,o=new lt;function a(c){let h=0,u=0,d=0;for(let z=0;z<9;z++)n.probe[z].set(0,0,0);let f=0,g=0,y=0,m=0,p=0,_=0,A=0,M=0,C=0,T=0,x=0,E=0,O=0,I=0;c.sort(dS);for(let z=0,H=c.length;z<H;z++){let D=c[z],W=D.color,Y=D.intensity,G=D.distance,ce=null;if(D.shadow&&D.shadow.map&&(D.shadow.map.texture.format===Ys?ce=D.shadow.map.texture:ce=D.shadow.map.depthTexture||D.shadow.map.texture),D.isAmbientLight)h+=W.r*Y,u+=W.g*Y,d+=W.b*Y;else if(D.isLightProbe){for(let J=0;J<9;J++)n.probe[J].addScaledVector(D.sh.coefficients[J],Y);I++}else if(D.isSunLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[g]=se,n.sunShadowMap[g]=ce;let de=Q.getViewportCount();for(let ue=0;ue<de;ue++)n.sunShadowMatrix[y+ue]=Q.getMatrix(ue),n.sunShadowCascade[y+ue]=Q._cascadeData[ue];y+=de,g++}n.sun[f]=J,f++}else if(D.isDirectionalLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,n.directionalShadow[m]=se,n.directionalShadowMap[m]=ce,n.directionalShadowMatrix[m]=D.shadow.matrix,C++}n.directional[m]=J,m++}else if(D.isSpotLight){let J=e.get(D);J.position.setFromMatrixPosition(D.matrixWorld),J.color.copy(W).multiplyScalar(Y),J.distance=G,J.coneCos=Math.cos(D.angle),J.penumbraCos=Math.cos(D.angle*(1-D.penumbra)),J.decay=D.decay,n.spot[_]=J;let Q=D.shadow;if(D.map&&(n.spotLightMap[E]=D.map,E++,Q.updateMatrices(D),D.castShadow&&O++),n.spotLightMatrix[_]=Q.matrix,D.castShadow){let se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,n.spotShadow[_]=se,n.spotShadowMap[_]=ce,x++}_++}else if(D.isRectAreaLight){let J=e.get(D);J.color.copy(W).multiplyScalar(Y),J.halfWidth.set(D.width*.5,0,0),J.halfHeight.set(0,D.height*.5,0),n.rectArea[A]=J,A++}else if(D.isPointLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),J.distance=D.distance,J.decay=D.decay,D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,se.shadowCameraNear=Q.camera.near,se.shadowCameraFar=Q.camera.far,n.pointShadow[p]=se,n.pointShadowMap[p]=ce,n.pointShadowMatrix[p]=D.shadow.matrix,T++}n.point[p]=J,p++}else if(D.isHemisphereLight){let J=e.get(D);J.skyColor.copy(D.color).multiplyScalar(Y),J.groundColor.copy(D.groundColor).multiplyScalar(Y),n.hemi[M]=J,M++}}A>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Le.LTC_FLOAT_1,n.rectAreaLTC2=Le.LTC_FLOAT_2):(n.rectAreaLTC1=Le.LTC_HALF_1,n.rectAreaLTC2=Le.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=d;let L=n.hash;(L.sunLength!==f||L.directionalLength!==m||L.pointLength!==p||L.spotLength!==_||L.rectAreaLength!==A||L.hemiLength!==M||L.numSunShadows!==g||L.numDirectionalShadows!==C||L.numPointShadows!==T||L.numSpotShadows!==x||L.numSpotMaps!==E||L.numLightProbes!==I)&&(n.sun.length=f,n.directional.length=m,n.spot.length=_,n.rectArea.length=A,n.point.length=p,n.hemi.length=M,n.sunShadow.length=g,n.sunShadowMap.length=g,n.sunShadowMatrix.length=y,n.sunShadowCascade.length=y,n.directionalShadow.length=C,n.directionalShadowMap.length=C,n.directionalShadowMatrix.length=C,n.pointShadow.length=T,n.pointShadowMap.length=T,n.pointShadowMatrix.length=T,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+E-O,n.spotLightMap.length=E,n.numSpotLightShadowsWithMaps=O,n.numLightProbes=I,L.sunLength=f,L.directionalLength=m,L.pointLength=p,L.spotLength=_,L.rectAreaLength=A,L.hemiLength=M,L.numSunShadows=g,L.numDirectionalShadows=C,L.numPointShadows=T,L.numSpotShadows=x,L.numSpotMaps=E,L.numLightProbes=I,n.version=uS++)}function l(c,h){let u=0,d=0,f=0,g=0,y=0,m=0,p=h.matrixWorldInverse;for(let _=0,A=c.length;_<A;_++){let M=c[_];if(M.isSunLight){let C=n.sun[u];C.direction.setFromMatrixPosition(M.matrixWorld),C.direction.transformDirection(p),u++}else if(M.isDirectionalLight){let C=n.directional[d];C.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),C.direction.sub(s),C.direction.transformDirection(p),d++}else if(M.isSpotLight){let C=n.spot[g];C.position.setFromMatrixPosition(M.matrixWorld),C.position.applyMatrix4(p),C.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),C.direction.sub(s),C.direction.transformDirection(p),g++}else if(M.isRectAreaLight){let C=n.rectArea[y];C.position.setFromMatrixPosition(M.matrixWorld),C.position.applyMatrix4(p),o.identity(),r.copy(M.matrixWorld),r.premultiply(p),o.extractRotation(r),C.halfWidth.set(M.width*.5,0,0),C.halfHeight.set(0,M.height*.5,0),C.halfWidth.applyMatrix4(o),C.halfHeight.applyMatrix4(o),y++}else if(M.isPointLight){let C=n.point[f];C.position.setFromMatrixPosition(M.matrixWorld),C.position.applyMatrix4(p),f++}else if(M.isHemisphereLight){let C=n.hemi[m];C.direction.setFromMatrixPosition(M.matrixWorld),C.direction.transformDirection(p),m++}}}return{setup:a,setupView:l,state:n}}function rg(i){let e=new fS(i),t=[],n=[],s=[];function r(u){h.camera=u,t.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):t.push(u)}function a(u){n.push(u)}function l(){e.setup(t),s.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function c(u){e.setupView(t,u)}let h={lightsArray:t,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:e,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function pS(i){let e=new WeakMap;function t(s,r=0){let o=e.get(s),a;return o===void 0?(a=new rg(i),e.set(s,[a])):r>=o.length?(a=new rg(i),o.push(a)):a=o[r],a}function n(){e=new WeakMap}return{get:t,dispose:n}}var mS=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,gS=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,vS=[new k(1,0,0),new k(-1,0,0),new k(0,1,0),new k(0,-1,0),new k(0,0,1),new k(0,0,-1)],xS=[new k(0,-1,0),new k(0,-1,0),new k(0,0,1),new k(0,0,-1),new k(0,-1,0),new k(0,-1,0)],og=new lt,Ha=new k,Dd=new k;function yS(i,e,t){let n=new Hs,s=new We,r=new We,o=new Zt,a=new tc,l=new nc,c={},h=t.maxTextureSize,u={[es]:Nn,[Nn]:es,[Pn]:Pn},d=new yi({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new We},radius:{value:4}},vertexShader:mS,fragmentShader:gS}),f=d.clone();f.defines.HORIZONTAL_PASS=1;let g=new vt;g.setAttribute("position",new at(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let y=new At(g,d),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=cr;let p=this.type;this.render=function(T,x,E){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||T.length===0)return;this.type===tm&&($e("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=cr);let O=i.getRenderTarget(),I=i.getActiveCubeFace(),L=i.getActiveMipmapLevel(),z=i.state;z.setBlending(hr),z.buffers.depth.getReversed()===!0?z.buffers.color.setClear(0,0,0,0):z.buffers.color.setClear(1,1,1,1),z.buffers.depth.setTest(!0),z.setScissorTest(!1);let H=p!==this.type;H&&x.traverse(function(D){D.material&&(Array.isArray(D.material)?D.material.forEach(W=>W.needsUpdate=!0):D.material.needsUpdate=!0)});for(let D=0,W=T.length;D<W;D++){let Y=T[D],G=Y.shadow;if(G===void 0){$e("WebGLShadowMap:",Y,"has no shadow.");continue}if(G.autoUpdate===!1&&G.needsUpdate===!1)continue;s.copy(G.mapSize);let ce=G.getFrameExtents();s.multiply(ce),r.copy(G.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ce.x),s.x=r.x*ce.x,G.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ce.y),s.y=r.y*ce.y,G.mapSize.y=r.y));let J=i.state.buffers.depth.getReversed();if(G.camera._reversedDepth=J,G.map===null||H===!0){if(G.map!==null&&(G.map.depthTexture!==null&&(G.map.depthTexture.dispose(),G.map.depthTexture=null),G.map.dispose()),this.type===co){if(Y.isPointLight){$e("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}G.map=new ri(s.x,s.y,{format:Ys,type:Fi,minFilter:Ln,magFilter:Ln,generateMipmaps:!1}),G.map.texture.name=Y.name+".shadowMap",G.map.depthTexture=new bs(s.x,s.y,_i),G.map.depthTexture.name=Y.name+".shadowMapDepth",G.map.depthTexture.format=xs,G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=mn,G.map.depthTexture.magFilter=mn}else Y.isPointLight?(G.map=new Ga(s.x),G.map.depthTexture=new ma(s.x,Ui)):(G.map=new ri(s.x,s.y),G.map.depthTexture=new bs(s.x,s.y,Ui)),G.map.depthTexture.name=Y.name+".shadowMap",G.map.depthTexture.format=xs,this.type===cr?(G.map.depthTexture.compareFunction=J?bd:_d,G.map.depthTexture.minFilter=Ln,G.map.depthTexture.magFilter=Ln):(G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=mn,G.map.depthTexture.magFilter=mn);G.camera.updateProjectionMatrix()}G.map.isWebGLCubeRenderTarget!==!0&&(G.map.width!==s.x||G.map.height!==s.y)&&G.map.setSize(s.x,s.y);let Q=G.map.isWebGLCubeRenderTarget?6:G.getViewportCount();Y.isPointLight!==!0&&G.updateMatrices(Y,E);let se=(G.camera.layers.mask&4294967294)!==0?G.camera.layers:E.layers;for(let de=0;de<Q;de++){let ue=G.getCamera(de);if(Y.isPointLight){let ee=G.camera,me=G.matrix,xe=Y.distance||ee.far;xe!==ee.far&&(ee.far=xe,ee.updateProjectionMatrix()),Ha.setFromMatrixPosition(Y.matrixWorld),ee.position.copy(Ha),Dd.copy(ee.position),Dd.add(vS[de]),ee.up.copy(xS[de]),ee.lookAt(Dd),ee.updateMatrixWorld(),me.makeTranslation(-Ha.x,-Ha.y,-Ha.z),og.multiplyMatrices(ee.projectionMatrix,ee.matrixWorldInverse),G._frustum.setFromProjectionMatrix(og,ee.coordinateSystem,ee.reversedDepth)}if(G.map.isWebGLCubeRenderTarget)i.setRenderTarget(G.map,de),i.clear();else{de===0&&(i.setRenderTarget(G.map),i.clear());let ee=G.getViewport(de);o.set(r.x*ee.x,r.y*ee.y,r.x*ee.z,r.y*ee.w),z.viewport(o)}n=G.getFrustum(de),M(x,E,ue,Y,se,this.type)}G.isPointLightShadow!==!0&&this.type===co&&_(G,E),G.needsUpdate=!1}p=this.type,m.needsUpdate=!1,i.setRenderTarget(O,I,L)};function _(T,x){let E=e.update(y);d.defines.VSM_SAMPLES!==T.blurSamples&&(d.defines.VSM_SAMPLES=T.blurSamples,f.defines.VSM_SAMPLES=T.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),T.mapPass===null?T.mapPass=new ri(s.x,s.y,{format:Ys,type:Fi}):(T.mapPass.width!==T.map.width||T.mapPass.height!==T.map.height)&&T.mapPass.setSize(T.map.width,T.map.height),d.uniforms.shadow_pass.value=T.map.depthTexture,d.uniforms.resolution.value.set(T.map.width,T.map.height),d.uniforms.radius.value=T.radius,i.setRenderTarget(T.mapPass),i.clear(),i.renderBufferDirect(x,null,E,d,y,null),f.uniforms.shadow_pass.value=T.mapPass.texture,f.uniforms.resolution.value.set(T.map.width,T.map.height),f.uniforms.radius.value=T.radius,i.setRenderTarget(T.map),i.clear(),i.renderBufferDirect(x,null,E,f,y,null)}function A(T,x,E,O){let I=null,L=E.isPointLight===!0?T.customDistanceMaterial:T.customDepthMaterial;if(L!==void 0)I=L;else if(I=E.isPointLight===!0?l:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let z=I.uuid,H=x.uuid,D=c[z];D===void 0&&(D={},c[z]=D);let W=D[H];W===void 0&&(W=I.clone(),D[H]=W,x.addEventListener("dispose",C)),I=W}if(I.visible=x.visible,I.wireframe=x.wireframe,O===co?I.side=x.shadowSide!==null?x.shadowSide:x.side:I.side=x.shadowSide!==null?x.shadowSide:u[x.side],I.alphaMap=x.alphaMap,I.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,I.map=x.map,I.clipShadows=x.clipShadows,I.clippingPlanes=x.clippingPlanes,I.clipIntersection=x.clipIntersection,I.displacementMap=x.displacementMap,I.displacementScale=x.displacementScale,I.displacementBias=x.displacementBias,I.wireframeLinewidth=x.wireframeLinewidth,I.linewidth=x.linewidth,E.isPointLight===!0&&I.isMeshDistanceMaterial===!0){let z=i.properties.get(I);z.light=E}return I}function M(T,x,E,O,I,L){if(T.visible===!1)return;if(T.layers.test(I)&&(T.isMesh||T.isLine||T.isPoints)&&(T.castShadow||T.receiveShadow&&L===co)&&(!T.frustumCulled||T.intersectsFrustum(n))){T.modelViewMatrix.multiplyMatrices(E.matrixWorldInverse,T.matrixWorld);let D=e.update(T),W=T.material;if(Array.isArray(W)){let Y=D.groups;for(let G=0,ce=Y.length;G<ce;G++){let J=Y[G],Q=W[J.materialIndex];if(Q&&Q.visible){let se=A(T,Q,O,L);T.onBeforeShadow(i,T,x,E,D,se,J),i.renderBufferDirect(E,null,D,se,T,J),T.onAfterShadow(i,T,x,E,D,se,J)}}}else if(W.visible){let Y=A(T,W,O,L);T.onBeforeShadow(i,T,x,E,D,Y,null),i.renderBufferDirect(E,null,D,Y,T,null),T.onAfterShadow(i,T,x,E,D,Y,null)}}let H=T.children;for(let D=0,W=H.length;D<W;D++)M(H[D],x,E,O,I,L)}function C(T){T.target.removeEventListener("dispose",C);for(let E in c){let O=c[E],I=T.target.uuid;I in O&&(O[I].dispose(),delete O[I])}}}function _S(i,e){function t(){let U=!1,re=new Zt,ne=null,we=new Zt(0,0,0,0);return{setMask:function(ge){ne!==ge&&!U&&(i.colorMask(ge,ge,ge,ge),ne=ge)},setLocked:function(ge){U=ge},setClear:function(ge,be,Ge,je,le){le===!0&&(ge*=je,be*=je,Ge*=je),re.set(ge,be,Ge,je),we.equals(re)===!1&&(i.clearColor(ge,be,Ge,je),we.copy(re))},reset:function(){U=!1,ne=null,we.set(-1,0,0,0)}}}function n(){let U=!1,re=!1,ne=null,we=null,ge=null;return{setReversed:function(be){if(re!==be){let Ge=e.get("EXT_clip_control");be?Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.ZERO_TO_ONE_EXT):Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.NEGATIVE_ONE_TO_ONE_EXT),re=be;let je=ge;ge=null,this.setClear(je)}},getReversed:function(){return re},setTest:function(be){be?Me(i.DEPTH_TEST):Xe(i.DEPTH_TEST)},setMask:function(be){ne!==be&&!U&&(i.depthMask(be),ne=be)},setFunc:function(be){if(re&&(be=Dm[be]),we!==be){switch(be){case Ol:i.depthFunc(i.NEVER);break;case kl:i.depthFunc(i.ALWAYS);break;case Bl:i.depthFunc(i.LESS);break;case jr:i.depthFunc(i.LEQUAL);break;case zl:i.depthFunc(i.EQUAL);break;case Hl:i.depthFunc(i.GEQUAL);break;case Vl:i.depthFunc(i.GREATER);break;case Gl:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}we=be}},setLocked:function(be){U=be},setClear:function(be){ge!==be&&(ge=be,re&&(be=1-be),i.clearDepth(be))},reset:function(){U=!1,ne=null,we=null,ge=null,re=!1}}}function s(){let U=!1,re=null,ne=null,we=null,ge=null,be=null,Ge=null,je=null,le=null;return{setTest:function(Oe){U||(Oe?Me(i.STENCIL_TEST):Xe(i.STENCIL_TEST))},setMask:function(Oe){re!==Oe&&!U&&(i.stencilMask(Oe),re=Oe)},setFunc:function(Oe,Qe,Re){(ne!==Oe||we!==Qe||ge!==Re)&&(i.stencilFunc(Oe,Qe,Re),ne=Oe,we=Qe,ge=Re)},setOp:function(Oe,Qe,Re){(be!==Oe||Ge!==Qe||je!==Re)&&(i.stencilOp(Oe,Qe,Re),be=Oe,Ge=Qe,je=Re)},setLocked:function(Oe){U=Oe},setClear:function(Oe){le!==Oe&&(i.clearStencil(Oe),le=Oe)},reset:function(){U=!1,re=null,ne=null,we=null,ge=null,be=null,Ge=null,je=null,le=null}}}let r=new t,o=new n,a=new s,l={},c=new WeakMap,h={},u={},d={},f=new WeakMap,g=[],y=null,m=!1,p=null,_=null,A=null,M=null,C=null,T=null,x=null,E=new Be(0,0,0),O=0,I=!1,L=null,z=null,H=null,D=null,W=null,Y=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),G=!1,ce=0,J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(ce=parseFloat(/^WebGL (\d)/.exec(J)[1]),G=ce>=1):J.indexOf("OpenGL ES")!==-1&&(ce=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),G=ce>=2);let Q=null,se={},de=i.getParameter(i.SCISSOR_BOX),ue=i.getParameter(i.VIEWPORT),ee=new Zt().fromArray(de),me=new Zt().fromArray(ue);function xe(U,re,ne,we){let ge=new Uint8Array(4),be=i.createTexture();i.bindTexture(U,be),i.texParameteri(U,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(U,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ge=0;Ge<ne;Ge++)U===i.TEXTURE_3D||U===i.TEXTURE_2D_ARRAY?i.texImage3D(re,0,i.RGBA,1,1,we,0,i.RGBA,i.UNSIGNED_BYTE,ge):i.texImage2D(re+Ge,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,ge);return be}let Ae={};Ae[i.TEXTURE_2D]=xe(i.TEXTURE_2D,i.TEXTURE_2D,1),Ae[i.TEXTURE_CUBE_MAP]=xe(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Ae[i.TEXTURE_2D_ARRAY]=xe(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Ae[i.TEXTURE_3D]=xe(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),Me(i.DEPTH_TEST),o.setFunc(jr),ln(!1),Dt(td),Me(i.CULL_FACE),Yt(hr);function Me(U){h[U]!==!0&&(i.enable(U),h[U]=!0)}function Xe(U){h[U]!==!1&&(i.disable(U),h[U]=!1)}function st(U,re){return d[U]!==re?(i.bindFramebuffer(U,re),d[U]=re,U===i.DRAW_FRAMEBUFFER&&(d[i.FRAMEBUFFER]=re),U===i.FRAMEBUFFER&&(d[i.DRAW_FRAMEBUFFER]=re),!0):!1}function Ve(U,re){let ne=g,we=!1;if(U){ne=f.get(re),ne===void 0&&(ne=[],f.set(re,ne));let ge=U.textures;if(ne.length!==ge.length||ne[0]!==i.COLOR_ATTACHMENT0){for(let be=0,Ge=ge.length;be<Ge;be++)ne[be]=i.COLOR_ATTACHMENT0+be;ne.length=ge.length,we=!0}}else ne[0]!==i.BACK&&(ne[0]=i.BACK,we=!0);we&&i.drawBuffers(ne)}function dt(U){return y!==U?(i.useProgram(U),y=U,!0):!1}let ct={[ur]:i.FUNC_ADD,[im]:i.FUNC_SUBTRACT,[sm]:i.FUNC_REVERSE_SUBTRACT};ct[rm]=i.MIN,ct[om]=i.MAX;let nt={[am]:i.ZERO,[lm]:i.ONE,[cm]:i.SRC_COLOR,[rd]:i.SRC_ALPHA,[mm]:i.SRC_ALPHA_SATURATE,[fm]:i.DST_COLOR,[um]:i.DST_ALPHA,[hm]:i.ONE_MINUS_SRC_COLOR,[od]:i.ONE_MINUS_SRC_ALPHA,[pm]:i.ONE_MINUS_DST_COLOR,[dm]:i.ONE_MINUS_DST_ALPHA,[gm]:i.CONSTANT_COLOR,[vm]:i.ONE_MINUS_CONSTANT_COLOR,[xm]:i.CONSTANT_ALPHA,[ym]:i.ONE_MINUS_CONSTANT_ALPHA};function Yt(U,re,ne,we,ge,be,Ge,je,le,Oe){if(U===hr){m===!0&&(Xe(i.BLEND),m=!1);return}if(m===!1&&(Me(i.BLEND),m=!0),U!==nm){if(U!==p||Oe!==I){if((_!==ur||C!==ur)&&(i.blendEquation(i.FUNC_ADD),_=ur,C=ur),Oe)switch(U){case ho:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case nd:i.blendFunc(i.ONE,i.ONE);break;case id:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case sd:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:Ke("WebGLState: Invalid blending: ",U);break}else switch(U){case ho:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case nd:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case id:Ke("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case sd:Ke("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Ke("WebGLState: Invalid blending: ",U);break}A=null,M=null,T=null,x=null,E.set(0,0,0),O=0,p=U,I=Oe}return}ge=ge||re,be=be||ne,Ge=Ge||we,(re!==_||ge!==C)&&(i.blendEquationSeparate(ct[re],ct[ge]),_=re,C=ge),(ne!==A||we!==M||be!==T||Ge!==x)&&(i.blendFuncSeparate(nt[ne],nt[we],nt[be],nt[Ge]),A=ne,M=we,T=be,x=Ge),(je.equals(E)===!1||le!==O)&&(i.blendColor(je.r,je.g,je.b,le),E.copy(je),O=le),p=U,I=!1}function zt(U,re){U.side===Pn?Xe(i.CULL_FACE):Me(i.CULL_FACE);let ne=U.side===Nn;re&&(ne=!ne),ln(ne),U.blending===ho&&U.transparent===!1?Yt(hr):Yt(U.blending,U.blendEquation,U.blendSrc,U.blendDst,U.blendEquationAlpha,U.blendSrcAlpha,U.blendDstAlpha,U.blendColor,U.blendAlpha,U.premultipliedAlpha),o.setFunc(U.depthFunc),o.setTest(U.depthTest),o.setMask(U.depthWrite),r.setMask(U.colorWrite);let we=U.stencilWrite;a.setTest(we),we&&(a.setMask(U.stencilWriteMask),a.setFunc(U.stencilFunc,U.stencilRef,U.stencilFuncMask),a.setOp(U.stencilFail,U.stencilZFail,U.stencilZPass)),Mt(U.polygonOffset,U.polygonOffsetFactor,U.polygonOffsetUnits),U.alphaToCoverage===!0?Me(i.SAMPLE_ALPHA_TO_COVERAGE):Xe(i.SAMPLE_ALPHA_TO_COVERAGE)}function ln(U){L!==U&&(U?i.frontFace(i.CW):i.frontFace(i.CCW),L=U)}function Dt(U){U!==Qp?(Me(i.CULL_FACE),U!==z&&(U===td?i.cullFace(i.BACK):U===em?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Xe(i.CULL_FACE),z=U}function Sn(U){U!==H&&(G&&i.lineWidth(U),H=U)}function Mt(U,re,ne){U?(Me(i.POLYGON_OFFSET_FILL),(D!==re||W!==ne)&&(D=re,W=ne,o.getReversed()&&(re=-re,ne=-ne),i.polygonOffset(re,ne))):Xe(i.POLYGON_OFFSET_FILL)}function vn(U){U?Me(i.SCISSOR_TEST):Xe(i.SCISSOR_TEST)}function Kt(U){U===void 0&&(U=i.TEXTURE0+Y-1),Q!==U&&(i.activeTexture(U),Q=U)}function cn(U,re,ne){ne===void 0&&(Q===null?ne=i.TEXTURE0+Y-1:ne=Q);let we=se[ne];we===void 0&&(we={type:void 0,texture:void 0},se[ne]=we),(we.type!==U||we.texture!==re)&&(Q!==ne&&(i.activeTexture(ne),Q=ne),i.bindTexture(U,re||Ae[U]),we.type=U,we.texture=re)}function F(){let U=se[Q];U!==void 0&&U.type!==void 0&&(i.bindTexture(U.type,null),U.type=void 0,U.texture=void 0)}function Ce(){try{i.compressedTexImage2D(...arguments)}catch(U){Ke("WebGLState:",U)}}function Ze(){try{i.compressedTexImage3D(...arguments)}catch(U){Ke("WebGLState:",U)}}function rt(){try{i.texSubImage2D(...arguments)}catch(U){Ke("WebGLState:",U)}}function Se(){try{i.texSubImage3D(...arguments)}catch(U){Ke("WebGLState:",U)}}function Ot(){try{i.compressedTexSubImage2D(...arguments)}catch(U){Ke("WebGLState:",U)}}function He(){try{i.compressedTexSubImage3D(...arguments)}catch(U){Ke("WebGLState:",U)}}function Ye(){try{i.texStorage2D(...arguments)}catch(U){Ke("WebGLState:",U)}}function R(){try{i.texStorage3D(...arguments)}catch(U){Ke("WebGLState:",U)}}function b(){try{i.texImage2D(...arguments)}catch(U){Ke("WebGLState:",U)}}function X(){try{i.texImage3D(...arguments)}catch(U){Ke("WebGLState:",U)}}function he(U){return u[U]!==void 0?u[U]:i.getParameter(U)}function oe(U,re){u[U]!==re&&(i.pixelStorei(U,re),u[U]=re)}function ve(U){ee.equals(U)===!1&&(i.scissor(U.x,U.y,U.z,U.w),ee.copy(U))}function ye(U){me.equals(U)===!1&&(i.viewport(U.x,U.y,U.z,U.w),me.copy(U))}function te(U,re){let ne=c.get(re);ne===void 0&&(ne=new WeakMap,c.set(re,ne));let we=ne.get(U);we===void 0&&(we=i.getUniformBlockIndex(re,U.name),i.uniformBlockBinding(re,we,we),ne.set(U,we))}function ie(U,re,ne){let ge=c.get(re).get(U);l[ge]!==ne&&(i.bindBufferBase(i.UNIFORM_BUFFER,ge,ne),l[ge]=ne)}function pe(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,se={},d={},l={},f=new WeakMap,g=[],y=null,m=!1,p=null,_=null,A=null,M=null,C=null,T=null,x=null,E=new Be(0,0,0),O=0,I=!1,L=null,z=null,H=null,D=null,W=null,ee.set(0,0,i.canvas.width,i.canvas.height),me.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:Me,disable:Xe,bindFramebuffer:st,drawBuffers:Ve,useProgram:dt,setBlending:Yt,setMaterial:zt,setFlipSided:ln,setCullFace:Dt,setLineWidth:Sn,setPolygonOffset:Mt,setScissorTest:vn,activeTexture:Kt,bindTexture:cn,unbindTexture:F,compressedTexImage2D:Ce,compressedTexImage3D:Ze,texImage2D:b,texImage3D:X,pixelStorei:oe,getParameter:he,updateUBOMapping:te,uniformBlockBinding:ie,texStorage2D:Ye,texStorage3D:R,texSubImage2D:rt,texSubImage3D:Se,compressedTexSubImage2D:Ot,compressedTexSubImage3D:He,scissor:ve,viewport:ye,reset:pe}}function bS(i,e,t,n,s,r,o){let a=e.has("WEBGL_multisampled_render_to_texture")?e.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new We,h=new WeakMap,u=new Set,d,f=new WeakMap,g=new Set,y=new FinalizationRegistry(R=>g.delete(R)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(R,b){return m?new OffscreenCanvas(R,b):ia("canvas")}function _(R,b,X){let he=1,oe=Ye(R);if((oe.width>X||oe.height>X)&&(he=X/Math.max(oe.width,oe.height)),he<1)if(typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&R instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&R instanceof ImageBitmap||typeof VideoFrame<"u"&&R instanceof VideoFrame){let ve=Math.floor(he*oe.width),ye=Math.floor(he*oe.height);d===void 0&&(d=p(ve,ye));let te=b?p(ve,ye):d;return te.width=ve,te.height=ye,te.getContext("2d").drawImage(R,0,0,ve,ye),$e("WebGLRenderer: Texture has been resized from ("+oe.width+"x"+oe.height+") to ("+ve+"x"+ye+")."),te}else return"data"in R&&$e("WebGLRenderer: Image in DataTexture is too big ("+oe.width+"x"+oe.height+")."),R;return R}function A(R){return R.generateMipmaps}function M(R){i.generateMipmap(R)}function C(R){return R.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:R.isWebGL3DRenderTarget?i.TEXTURE_3D:R.isWebGLArrayRenderTarget||R.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function T(R,b,X,he,oe,ve=!1){if(R!==null){if(i[R]!==void 0)return i[R];$e("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+R+"'")}let ye;he&&(ye=e.get("EXT_texture_norm16"),ye||$e("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let te=b;if(b===i.RED&&(X===i.FLOAT&&(te=i.R32F),X===i.HALF_FLOAT&&(te=i.R16F),X===i.UNSIGNED_BYTE&&(te=i.R8),X===i.UNSIGNED_SHORT&&ye&&(te=ye.R16_EXT),X===i.SHORT&&ye&&(te=ye.R16_SNORM_EXT)),b===i.RED_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.R8UI),X===i.UNSIGNED_SHORT&&(te=i.R16UI),X===i.UNSIGNED_INT&&(te=i.R32UI),X===i.BYTE&&(te=i.R8I),X===i.SHORT&&(te=i.R16I),X===i.INT&&(te=i.R32I)),b===i.RG&&(X===i.FLOAT&&(te=i.RG32F),X===i.HALF_FLOAT&&(te=i.RG16F),X===i.UNSIGNED_BYTE&&(te=i.RG8),X===i.UNSIGNED_SHORT&&ye&&(te=ye.RG16_EXT),X===i.SHORT&&ye&&(te=ye.RG16_SNORM_EXT)),b===i.RG_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.RG8UI),X===i.UNSIGNED_SHORT&&(te=i.RG16UI),X===i.UNSIGNED_INT&&(te=i.RG32UI),X===i.BYTE&&(te=i.RG8I),X===i.SHORT&&(te=i.RG16I),X===i.INT&&(te=i.RG32I)),b===i.RGB_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.RGB8UI),X===i.UNSIGNED_SHORT&&(te=i.RGB16UI),X===i.UNSIGNED_INT&&(te=i.RGB32UI),X===i.BYTE&&(te=i.RGB8I),X===i.SHORT&&(te=i.RGB16I),X===i.INT&&(te=i.RGB32I)),b===i.RGBA_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.RGBA8UI),X===i.UNSIGNED_SHORT&&(te=i.RGBA16UI),X===i.UNSIGNED_INT&&(te=i.RGBA32UI),X===i.BYTE&&(te=i.RGBA8I),X===i.SHORT&&(te=i.RGBA16I),X===i.INT&&(te=i.RGBA32I)),b===i.RGB&&(X===i.UNSIGNED_SHORT&&ye&&(te=ye.RGB16_EXT),X===i.SHORT&&ye&&(te=ye.RGB16_SNORM_EXT),X===i.UNSIGNED_INT_5_9_9_9_REV&&(te=i.RGB9_E5),X===i.UNSIGNED_INT_10F_11F_11F_REV&&(te=i.R11F_G11F_B10F)),b===i.RGBA){let ie=ve?na:yt.getTransfer(oe);X===i.FLOAT&&(te=i.RGBA32F),X===i.HALF_FLOAT&&(te=i.RGBA16F),X===i.UNSIGNED_BYTE&&(te=ie===Ct?i.SRGB8_ALPHA8:i.RGBA8),X===i.UNSIGNED_SHORT&&ye&&(te=ye.RGBA16_EXT),X===i.SHORT&&ye&&(te=ye.RGBA16_SNORM_EXT),X===i.UNSIGNED_SHORT_4_4_4_4&&(te=i.RGBA4),X===i.UNSIGNED_SHORT_5_5_5_1&&(te=i.RGB5_A1)}return(te===i.R16F||te===i.R32F||te===i.RG16F||te===i.RG32F||te===i.RGBA16F||te===i.RGBA32F)&&e.get("EXT_color_buffer_float"),te}function x(R,b){let X;return R?b===null||b===Ui||b===fr?X=i.DEPTH24_STENCIL8:b===_i?X=i.DEPTH32F_STENCIL8:b===fo&&(X=i.DEPTH24_STENCIL8,$e("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):b===null||b===Ui||b===fr?X=i.DEPTH_COMPONENT24:b===_i?X=i.DEPTH_COMPONENT32F:b===fo&&(X=i.DEPTH_COMPONENT16),X}function E(R,b){return A(R)===!0||R.isFramebufferTexture&&R.minFilter!==mn&&R.minFilter!==Ln?Math.log2(Math.max(b.width,b.height))+1:R.mipmaps.length>0?R.mipmaps.length:R.isCompressedTexture&&Array.isArray(R.image)?b.mipmaps.length:1}function O(R){let b=new WeakRef(R);n.get(R).__ref=b,g.add(b),y.register(R,b,b)}function I(R){let b=n.get(R).__ref;b!==void 0&&(g.delete(b),y.unregister(b))}function L(R){H(R.target)}function z(R){D(R.target)}function H(R){R.removeEventListener("dispose",L),I(R),Y(R),R.isVideoTexture&&h.delete(R),R.isHTMLTexture&&u.delete(R)}function D(R){R.removeEventListener("dispose",z),I(R),ce(R)}function W(){for(let R of g){let b=R.deref();b!==void 0&&(b.isRenderTarget===!0?D(b):H(b))}g.clear(),u.clear()}function Y(R){let b=n.get(R);if(b.__webglInit===void 0)return;let X=R.source,he=f.get(X);if(he){let oe=he[b.__cacheKey];oe.usedTimes--,oe.usedTimes===0&&G(R),Object.keys(he).length===0&&f.delete(X)}n.remove(R)}function G(R){let b=n.get(R);i.deleteTexture(b.__webglTexture);let X=R.source,he=f.get(X);delete he[b.__cacheKey],o.memory.textures--}function ce(R){let b=n.get(R);b.__depthDisposeCallback&&b.__depthDisposeCallback();let X=R.depthTexture;if(X&&X.renderTarget===R&&H(X),R.isWebGLCubeRenderTarget)for(let oe=0;oe<6;oe++){if(Array.isArray(b.__webglFramebuffer[oe]))for(let ve=0;ve<b.__webglFramebuffer[oe].length;ve++)i.deleteFramebuffer(b.__webglFramebuffer[oe][ve]);else i.deleteFramebuffer(b.__webglFramebuffer[oe]);b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer[oe])}else{if(Array.isArray(b.__webglFramebuffer))for(let oe=0;oe<b.__webglFramebuffer.length;oe++)i.deleteFramebuffer(b.__webglFramebuffer[oe]);else i.deleteFramebuffer(b.__webglFramebuffer);if(b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer),b.__webglMultisampledFramebuffer&&i.deleteFramebuffer(b.__webglMultisampledFramebuffer),b.__webglColorRenderbuffer)for(let oe=0;oe<b.__webglColorRenderbuffer.length;oe++)b.__webglColorRenderbuffer[oe]&&i.deleteRenderbuffer(b.__webglColorRenderbuffer[oe]);b.__webglDepthRenderbuffer&&i.deleteRenderbuffer(b.__webglDepthRenderbuffer)}let he=R.textures;for(let oe=0,ve=he.length;oe<ve;oe++){let ye=n.get(he[oe]);ye.__webglTexture&&(i.deleteTexture(ye.__webglTexture),o.memory.textures--),n.remove(he[oe])}n.remove(R)}let J=0;function Q(){J=0}function se(){return J}function de(R){J=R}function ue(){let R=J;return R>=s.maxTextures&&$e("WebGLTextures: Trying to use "+(R+1)+" texture units while this GPU supports only "+s.maxTextures),J+=1,R}function ee(R){let b=[];return b.push(R.wrapS),b.push(R.wrapT),b.push(R.wrapR||0),b.push(R.magFilter),b.push(R.minFilter),b.push(R.anisotropy),b.push(R.internalFormat),b.push(R.format),b.push(R.type),b.push(R.generateMipmaps),b.push(R.mipmapsAutoUpdate),b.push(R.premultiplyAlpha),b.push(R.flipY),b.push(R.unpackAlignment),b.push(R.colorSpace),b.join()}function me(R,b){let X=n.get(R);if(R.isVideoTexture&&Ot(R),R.isRenderTargetTexture===!1&&R.isExternalTexture!==!0&&R.version>0&&X.__version!==R.version){let he=R.image;if(he===null)$e("WebGLRenderer: Texture marked for update but no image data found.");else if(he.complete===!1)$e("WebGLRenderer: Texture marked for update but image is incomplete");else{zt(X,R,b);return}}else R.isExternalTexture&&(X.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D,X.__webglTexture,i.TEXTURE0+b)}function xe(R,b){let X=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&X.__version!==R.version){zt(X,R,b);return}else R.isExternalTexture&&(X.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D_ARRAY,X.__webglTexture,i.TEXTURE0+b)}function Ae(R,b){let X=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&X.__version!==R.version){zt(X,R,b);return}t.bindTexture(i.TEXTURE_3D,X.__webglTexture,i.TEXTURE0+b)}function Me(R,b){let X=n.get(R);if(R.version>0&&X.__version!==R.version){ln(X,R,b);return}t.bindTexture(i.TEXTURE_CUBE_MAP,X.__webglTexture,i.TEXTURE0+b)}let Xe={[Qr]:i.REPEAT,[Ki]:i.CLAMP_TO_EDGE,[Wl]:i.MIRRORED_REPEAT},st={[mn]:i.NEAREST,[Mm]:i.NEAREST_MIPMAP_NEAREST,[Na]:i.NEAREST_MIPMAP_LINEAR,[Ln]:i.LINEAR,[vc]:i.LINEAR_MIPMAP_NEAREST,[Di]:i.LINEAR_MIPMAP_LINEAR},Ve={[Tm]:i.NEVER,[Md]:i.ALWAYS,[Am]:i.LESS,[_d]:i.LEQUAL,[Rm]:i.EQUAL,[bd]:i.GEQUAL,[Cm]:i.GREATER,[Pm]:i.NOTEQUAL};function dt(R,b){if(b.type===_i&&e.has("OES_texture_float_linear")===!1&&(b.magFilter===Ln||b.magFilter===vc||b.magFilter===Na||b.magFilter===Di||b.minFilter===Ln||b.minFilter===vc||b.minFilter===Na||b.minFilter===Di)&&$e("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(R,i.TEXTURE_WRAP_S,Xe[b.wrapS]),i.texParameteri(R,i.TEXTURE_WRAP_T,Xe[b.wrapT]),(R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY)&&i.texParameteri(R,i.TEXTURE_WRAP_R,Xe[b.wrapR]),i.texParameteri(R,i.TEXTURE_MAG_FILTER,st[b.magFilter]),i.texParameteri(R,i.TEXTURE_MIN_FILTER,st[b.minFilter]),b.compareFunction&&(i.texParameteri(R,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(R,i.TEXTURE_COMPARE_FUNC,Ve[b.compareFunction])),e.has("EXT_texture_filter_anisotropic")===!0){if(b.magFilter===mn||b.minFilter!==Na&&b.minFilter!==Di||b.type===_i&&e.has("OES_texture_float_linear")===!1)return;if(b.anisotropy>1||n.get(b).__currentAnisotropy){let X=e.get("EXT_texture_filter_anisotropic");i.texParameterf(R,X.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(b.anisotropy,s.getMaxAnisotropy())),n.get(b).__currentAnisotropy=b.anisotropy}}}function ct(R,b){let X=!1;R.__webglInit===void 0&&(R.__webglInit=!0,b.addEventListener("dispose",L),O(b));let he=b.source,oe=f.get(he);oe===void 0&&(oe={},f.set(he,oe));let ve=ee(b);if(ve!==R.__cacheKey){oe[ve]===void 0&&(oe[ve]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,X=!0),oe[ve].usedTimes++;let ye=oe[R.__cacheKey];ye!==void 0&&(oe[R.__cacheKey].usedTimes--,ye.usedTimes===0&&G(b)),R.__cacheKey=ve,R.__webglTexture=oe[ve].texture}return X}function nt(R,b,X){return Math.floor(Math.floor(R/X)/b)}function Yt(R,b,X,he){let ve=R.updateRanges;if(ve.length===0)t.texSubImage2D(i.TEXTURE_2D,0,0,0,b.width,b.height,X,he,b.data);else{ve.sort((U,re)=>U.start-re.start);let ye=0;for(let U=1;U<ve.length;U++){let re=ve[ye],ne=ve[U],we=re.start+re.count,ge=nt(ne.start,b.width,4),be=nt(re.start,b.width,4);ne.start<=we+1&&ge===be&&nt(ne.start+ne.count-1,b.width,4)===ge?re.count=Math.max(re.count,ne.start+ne.count-re.start):(++ye,ve[ye]=ne)}ve.length=ye+1;let te=t.getParameter(i.UNPACK_ROW_LENGTH),ie=t.getParameter(i.UNPACK_SKIP_PIXELS),pe=t.getParameter(i.UNPACK_SKIP_ROWS);t.pixelStorei(i.UNPACK_ROW_LENGTH,b.width);for(let U=0,re=ve.length;U<re;U++){let ne=ve[U],we=Math.floor(ne.start/4),ge=Math.ceil(ne.count/4),be=we%b.width,Ge=Math.floor(we/b.width),je=ge,le=1;t.pixelStorei(i.UNPACK_SKIP_PIXELS,be),t.pixelStorei(i.UNPACK_SKIP_ROWS,Ge),t.texSubImage2D(i.TEXTURE_2D,0,be,Ge,je,le,X,he,b.data)}R.clearUpdateRanges(),t.pixelStorei(i.UNPACK_ROW_LENGTH,te),t.pixelStorei(i.UNPACK_SKIP_PIXELS,ie),t.pixelStorei(i.UNPACK_SKIP_ROWS,pe)}}function zt(R,b,X){let he=i.TEXTURE_2D;(b.isDataArrayTexture||b.isCompressedArrayTexture)&&(he=i.TEXTURE_2D_ARRAY),b.isData3DTexture&&(he=i.TEXTURE_3D);let oe=ct(R,b),ve=b.source;t.bindTexture(he,R.__webglTexture,i.TEXTURE0+X);let ye=n.get(ve);if(ve.version!==ye.__version||oe===!0){if(t.activeTexture(i.TEXTURE0+X),(typeof ImageBitmap<"u"&&b.image instanceof ImageBitmap)===!1){let le=yt.getPrimaries(yt.workingColorSpace),Oe=b.colorSpace===Ss?null:yt.getPrimaries(b.colorSpace),Qe=b.colorSpace===Ss||le===Oe?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Qe)}t.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment);let ie=_(b.image,!1,s.maxTextureSize);ie=He(b,ie);let pe=r.convert(b.format,b.colorSpace),U=r.convert(b.type),re=T(b.internalFormat,pe,U,b.normalized,b.colorSpace,b.isVideoTexture);dt(he,b);let ne,we=b.mipmaps,ge=b.isVideoTexture!==!0,be=ye.__version===void 0||oe===!0,Ge=ve.dataReady,je=E(b,ie);if(b.isDepthTexture)re=x(b.format===Ms,b.type),be&&(ge?t.texStorage2D(i.TEXTURE_2D,1,re,ie.width,ie.height):t.texImage2D(i.TEXTURE_2D,0,re,ie.width,ie.height,0,pe,U,null));else if(b.isDataTexture)if(we.length>0){ge&&be&&t.texStorage2D(i.TEXTURE_2D,je,re,we[0].width,we[0].height);for(let le=0,Oe=we.length;le<Oe;le++)ne=we[le],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,pe,U,ne.data):t.texImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,pe,U,ne.data);b.generateMipmaps=!1}else ge?(be&&t.texStorage2D(i.TEXTURE_2D,je,re,ie.width,ie.height),Ge&&Yt(b,ie,pe,U)):t.texImage2D(i.TEXTURE_2D,0,re,ie.width,ie.height,0,pe,U,ie.data);else if(b.isCompressedTexture)if(b.isCompressedArrayTexture){ge&&be&&t.texStorage3D(i.TEXTURE_2D_ARRAY,je,re,we[0].width,we[0].height,ie.depth);for(let le=0,Oe=we.length;le<Oe;le++)if(ne=we[le],b.format!==Oi)if(pe!==null)if(ge){if(Ge)if(b.layerUpdates.size>0){let Qe=Ld(ne.width,ne.height,b.format,b.type);for(let Re of b.layerUpdates){let ot=ne.data.subarray(Re*Qe/ne.data.BYTES_PER_ELEMENT,(Re+1)*Qe/ne.data.BYTES_PER_ELEMENT);t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,Re,ne.width,ne.height,1,pe,ot)}}else t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,0,ne.width,ne.height,ie.depth,pe,ne.data)}else t.compressedTexImage3D(i.TEXTURE_2D_ARRAY,le,re,ne.width,ne.height,ie.depth,0,ne.data,0,0);else $e("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else ge?Ge&&t.texSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,0,ne.width,ne.height,ie.depth,pe,U,ne.data):t.texImage3D(i.TEXTURE_2D_ARRAY,le,re,ne.width,ne.height,ie.depth,0,pe,U,ne.data);b.layerUpdates.size>0&&b.clearLayerUpdates()}else{ge&&be&&t.texStorage2D(i.TEXTURE_2D,je,re,we[0].width,we[0].height);for(let le=0,Oe=we.length;le<Oe;le++)ne=we[le],b.format!==Oi?pe!==null?ge?Ge&&t.compressedTexSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,pe,ne.data):t.compressedTexImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,ne.data):$e("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,pe,U,ne.data):t.texImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,pe,U,ne.data)}else if(b.isDataArrayTexture)if(ge){if(be&&t.texStorage3D(i.TEXTURE_2D_ARRAY,je,re,ie.width,ie.height,ie.depth),Ge)if(b.layerUpdates.size>0){let le=Ld(ie.width,ie.height,b.format,b.type);for(let Oe of b.layerUpdates){let Qe=ie.data.subarray(Oe*le/ie.data.BYTES_PER_ELEMENT,(Oe+1)*le/ie.data.BYTES_PER_ELEMENT);t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Oe,ie.width,ie.height,1,pe,U,Qe)}b.clearLayerUpdates()}else t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,ie.width,ie.height,ie.depth,pe,U,ie.data)}else t.texImage3D(i.TEXTURE_2D_ARRAY,0,re,ie.width,ie.height,ie.depth,0,pe,U,ie.data);else if(b.isData3DTexture)ge?(be&&t.texStorage3D(i.TEXTURE_3D,je,re,ie.width,ie.height,ie.depth),Ge&&t.texSubImage3D(i.TEXTURE_3D,0,0,0,0,ie.width,ie.height,ie.depth,pe,U,ie.data)):t.texImage3D(i.TEXTURE_3D,0,re,ie.width,ie.height,ie.depth,0,pe,U,ie.data);else if(b.isFramebufferTexture){if(be)if(ge)t.texStorage2D(i.TEXTURE_2D,je,re,ie.width,ie.height);else{let le=ie.width,Oe=ie.height;for(let Qe=0;Qe<je;Qe++)t.texImage2D(i.TEXTURE_2D,Qe,re,le,Oe,0,pe,U,null),le>>=1,Oe>>=1}}else if(b.isHTMLTexture){if("texElementImage2D"in i){let le=i.canvas;if(le.hasAttribute("layoutsubtree")||le.setAttribute("layoutsubtree","true"),ie.parentNode!==le){le.appendChild(ie),u.add(b),le.onpaint=Oe=>{let Qe=Oe.changedElements;for(let Re of u)Qe.includes(Re.image)&&(Re.needsUpdate=!0)},le.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,ie);else{let Qe=i.RGBA,Re=i.RGBA,ot=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Qe,Re,ot,ie)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(we.length>0){if(ge&&be){let le=Ye(we[0]);t.texStorage2D(i.TEXTURE_2D,je,re,le.width,le.height)}for(let le=0,Oe=we.length;le<Oe;le++)ne=we[le],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,pe,U,ne):t.texImage2D(i.TEXTURE_2D,le,re,pe,U,ne);b.generateMipmaps=!1}else if(ge){if(be){let le=Ye(ie);t.texStorage2D(i.TEXTURE_2D,je,re,le.width,le.height)}Ge&&t.texSubImage2D(i.TEXTURE_2D,0,0,0,pe,U,ie)}else t.texImage2D(i.TEXTURE_2D,0,re,pe,U,ie);A(b)&&b.mipmapsAutoUpdate===!0&&M(he),ye.__version=ve.version,b.onUpdate&&b.onUpdate(b)}R.__version=b.version}function ln(R,b,X){if(b.image.length!==6)return;let he=ct(R,b),oe=b.source;t.bindTexture(i.TEXTURE_CUBE_MAP,R.__webglTexture,i.TEXTURE0+X);let ve=n.get(oe);if(oe.version!==ve.__version||he===!0){t.activeTexture(i.TEXTURE0+X);let ye=yt.getPrimaries(yt.workingColorSpace),te=b.colorSpace===Ss?null:yt.getPrimaries(b.colorSpace),ie=b.colorSpace===Ss||ye===te?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),t.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,ie);let pe=b.isCompressedTexture||b.image[0].isCompressedTexture,U=b.image[0]&&b.image[0].isDataTexture,re=[];for(let Re=0;Re<6;Re++)!pe&&!U?re[Re]=_(b.image[Re],!0,s.maxCubemapSize):re[Re]=U?b.image[Re].image:b.image[Re],re[Re]=He(b,re[Re]);let ne=re[0],we=r.convert(b.format,b.colorSpace),ge=r.convert(b.type),be=T(b.internalFormat,we,ge,b.normalized,b.colorSpace),Ge=b.isVideoTexture!==!0,je=ve.__version===void 0||he===!0,le=oe.dataReady,Oe=E(b,ne);dt(i.TEXTURE_CUBE_MAP,b);let Qe;if(b.isDepthTexture){if(be=x(b.format===Ms,b.type),je)if(Ge)t.texStorage2D(i.TEXTURE_CUBE_MAP,1,be,ne.width,ne.height);else for(let Re=0;Re<6;Re++)t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,be,ne.width,ne.height,0,we,ge,null)}else if(pe){Ge&&je&&t.texStorage2D(i.TEXTURE_CUBE_MAP,Oe,be,ne.width,ne.height);for(let Re=0;Re<6;Re++){Qe=re[Re].mipmaps;for(let ot=0;ot<Qe.length;ot++){let Ht=Qe[ot];b.format!==Oi?we!==null?Ge?le&&t.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,0,0,Ht.width,Ht.height,we,Ht.data):t.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,be,Ht.width,Ht.height,0,Ht.data):$e("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,0,0,Ht.width,Ht.height,we,ge,Ht.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,be,Ht.width,Ht.height,0,we,ge,Ht.data)}}}else{if(Qe=b.mipmaps,Ge&&je){Qe.length>0&&Oe++;let Re=Ye(re[0]);t.texStorage2D(i.TEXTURE_CUBE_MAP,Oe,be,Re.width,Re.height)}for(let Re=0;Re<6;Re++)if(U){Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,0,0,re[Re].width,re[Re].height,we,ge,re[Re].data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,be,re[Re].width,re[Re].height,0,we,ge,re[Re].data);for(let ot=0;ot<Qe.length;ot++){let Bn=Qe[ot].image[Re].image;Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,0,0,Bn.width,Bn.height,we,ge,Bn.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,be,Bn.width,Bn.height,0,we,ge,Bn.data)}}else{Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,0,0,we,ge,re[Re]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,be,we,ge,re[Re]);for(let ot=0;ot<Qe.length;ot++){let Ht=Qe[ot];Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,0,0,we,ge,Ht.image[Re]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,be,we,ge,Ht.image[Re])}}}A(b)&&b.mipmapsAutoUpdate===!0&&M(i.TEXTURE_CUBE_MAP),ve.__version=oe.version,b.onUpdate&&b.onUpdate(b)}R.__version=b.version}function Dt(R,b,X,he,oe,ve){let ye=r.convert(X.format,X.colorSpace),te=r.convert(X.type),ie=T(X.internalFormat,ye,te,X.normalized,X.colorSpace),pe=n.get(b),U=n.get(X);if(U.__renderTarget=b,!pe.__hasExternalTextures){let re=Math.max(1,b.width>>ve),ne=Math.max(1,b.height>>ve);oe===i.TEXTURE_3D||oe===i.TEXTURE_2D_ARRAY?t.texImage3D(oe,ve,ie,re,ne,b.depth,0,ye,te,null):t.texImage2D(oe,ve,ie,re,ne,0,ye,te,null)}t.bindFramebuffer(i.FRAMEBUFFER,R),Se(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,he,oe,U.__webglTexture,0,rt(b)):(oe===i.TEXTURE_2D||oe>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&oe<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,he,oe,U.__webglTexture,ve),t.bindFramebuffer(i.FRAMEBUFFER,null)}function Sn(R,b,X){if(i.bindRenderbuffer(i.RENDERBUFFER,R),b.depthBuffer){let he=b.depthTexture,oe=he&&he.isDepthTexture?he.type:null,ve=x(b.stencilBuffer,oe),ye=b.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;Se(b)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(b),ve,b.width,b.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(b),ve,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,ve,b.width,b.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,ye,i.RENDERBUFFER,R)}else{let he=b.textures;for(let oe=0;oe<he.length;oe++){let ve=he[oe],ye=r.convert(ve.format,ve.colorSpace),te=r.convert(ve.type),ie=T(ve.internalFormat,ye,te,ve.normalized,ve.colorSpace);Se(b)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(b),ie,b.width,b.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(b),ie,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,ie,b.width,b.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function Mt(R,b,X){let he=b.isWebGLCubeRenderTarget===!0;if(t.bindFramebuffer(i.FRAMEBUFFER,R),!(b.depthTexture&&b.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let oe=n.get(b.depthTexture);oe.__renderTarget=b;let ve=he?b.depthTexture.image[0]:b.depthTexture.image;(!oe.__webglTexture||ve.width!==b.width||ve.height!==b.height)&&(ve.width=b.width,ve.height=b.height,b.depthTexture.needsUpdate=!0),he?Me(b.depthTexture,0):me(b.depthTexture,0);let ye=oe.__webglTexture,te=rt(b),ie=he?i.TEXTURE_CUBE_MAP_POSITIVE_X+X:i.TEXTURE_2D,pe=b.depthTexture.format===Ms?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(b.depthTexture.format===xs)Se(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pe,ie,ye,0,te):i.framebufferTexture2D(i.FRAMEBUFFER,pe,ie,ye,0);else if(b.depthTexture.format===Ms)Se(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pe,ie,ye,0,te):i.framebufferTexture2D(i.FRAMEBUFFER,pe,ie,ye,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function vn(R){let b=n.get(R),X=R.isWebGLCubeRenderTarget===!0;if(b.__boundDepthTexture!==R.depthTexture){let he=R.depthTexture;if(b.__depthDisposeCallback&&b.__depthDisposeCallback(),he){let oe=()=>{delete b.__boundDepthTexture,delete b.__depthDisposeCallback,he.removeEventListener("dispose",oe)};he.addEventListener("dispose",oe),b.__depthDisposeCallback=oe}b.__boundDepthTexture=he}if(R.depthTexture&&!b.__autoAllocateDepthBuffer)if(X)for(let he=0;he<6;he++)Mt(b.__webglFramebuffer[he],R,he);else R.texture.mipmaps.length>0?Mt(b.__webglFramebuffer[0],R,0):Mt(b.__webglFramebuffer,R,0);else if(X){b.__webglDepthbuffer=[];for(let he=0;he<6;he++)if(t.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[he]),b.__webglDepthbuffer[he]===void 0)b.__webglDepthbuffer[he]=i.createRenderbuffer(),Sn(b.__webglDepthbuffer[he],R,!1);else{let oe=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ve=b.__webglDepthbuffer[he];i.bindRenderbuffer(i.RENDERBUFFER,ve),i.framebufferRenderbuffer(i.FRAMEBUFFER,oe,i.RENDERBUFFER,ve)}}else if(R.texture.mipmaps.length>0?t.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[0]):t.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer),b.__webglDepthbuffer===void 0)b.__webglDepthbuffer=i.createRenderbuffer(),Sn(b.__webglDepthbuffer,R,!1);else{let oe=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ve=b.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,ve),i.framebufferRenderbuffer(i.FRAMEBUFFER,oe,i.RENDERBUFFER,ve)}t.bindFramebuffer(i.FRAMEBUFFER,null)}function Kt(R,b,X){let he=n.get(R);b!==void 0&&Dt(he.__webglFramebuffer,R,R.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),X!==void 0&&vn(R)}function cn(R){let b=R.texture,X=n.get(R),he=n.get(b);R.addEventListener("dispose",z),O(R);let oe=R.textures,ve=R.isWebGLCubeRenderTarget===!0,ye=oe.length>1;if(ye||(he.__webglTexture===void 0&&(he.__webglTexture=i.createTexture()),he.__version=b.version,o.memory.textures++),ve){X.__webglFramebuffer=[];for(let te=0;te<6;te++)if(b.mipmaps.length>0){X.__webglFramebuffer[te]=[];for(let ie=0;ie<b.mipmaps.length;ie++)X.__webglFramebuffer[te][ie]=i.createFramebuffer()}else X.__webglFramebuffer[te]=i.createFramebuffer()}else{if(b.mipmaps.length>0){X.__webglFramebuffer=[];for(let te=0;te<b.mipmaps.length;te++)X.__webglFramebuffer[te]=i.createFramebuffer()}else X.__webglFramebuffer=i.createFramebuffer();if(ye)for(let te=0,ie=oe.length;te<ie;te++){let pe=n.get(oe[te]);pe.__webglTexture===void 0&&(pe.__webglTexture=i.createTexture(),o.memory.textures++)}if(R.samples>0&&Se(R)===!1){X.__webglMultisampledFramebuffer=i.createFramebuffer(),X.__webglColorRenderbuffer=[],t.bindFramebuffer(i.FRAMEBUFFER,X.__webglMultisampledFramebuffer);for(let te=0;te<oe.length;te++){let ie=oe[te];X.__webglColorRenderbuffer[te]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,X.__webglColorRenderbuffer[te]);let pe=r.convert(ie.format,ie.colorSpace),U=r.convert(ie.type),re=T(ie.internalFormat,pe,U,ie.normalized,ie.colorSpace,R.isXRRenderTarget===!0),ne=rt(R);i.renderbufferStorageMultisample(i.RENDERBUFFER,ne,re,R.width,R.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+te,i.RENDERBUFFER,X.__webglColorRenderbuffer[te])}i.bindRenderbuffer(i.RENDERBUFFER,null),R.depthBuffer&&(X.__webglDepthRenderbuffer=i.createRenderbuffer(),Sn(X.__webglDepthRenderbuffer,R,!0)),t.bindFramebuffer(i.FRAMEBUFFER,null)}}if(ve){t.bindTexture(i.TEXTURE_CUBE_MAP,he.__webglTexture),dt(i.TEXTURE_CUBE_MAP,b);for(let te=0;te<6;te++)if(b.mipmaps.length>0)for(let ie=0;ie<b.mipmaps.length;ie++)Dt(X.__webglFramebuffer[te][ie],R,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+te,ie);else Dt(X.__webglFramebuffer[te],R,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+te,0);A(b)?M(i.TEXTURE_CUBE_MAP):b.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),t.unbindTexture()}else if(ye){for(let te=0,ie=oe.length;te<ie;te++){let pe=oe[te],U=n.get(pe),re=i.TEXTURE_2D;(R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(re=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(re,U.__webglTexture),dt(re,pe),Dt(X.__webglFramebuffer,R,pe,i.COLOR_ATTACHMENT0+te,re,0),A(pe)&&M(re)}t.unbindTexture()}else{let te=i.TEXTURE_2D;if((R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(te=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(te,he.__webglTexture),dt(te,b),b.mipmaps.length>0)for(let ie=0;ie<b.mipmaps.length;ie++)Dt(X.__webglFramebuffer[ie],R,b,i.COLOR_ATTACHMENT0,te,ie);else Dt(X.__webglFramebuffer,R,b,i.COLOR_ATTACHMENT0,te,0);A(b)?M(te):b.mipmaps.length>0&&i.texParameteri(te,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),t.unbindTexture()}R.depthBuffer&&vn(R)}function F(R){let b=R.textures;for(let X=0,he=b.length;X<he;X++){let oe=b[X];if(A(oe)&&oe.mipmapsAutoUpdate===!0){let ve=C(R),ye=n.get(oe).__webglTexture;t.bindTexture(ve,ye),M(ve),t.unbindTexture()}}}let Ce=[];function Ze(R){if(R.samples>0){if(Se(R)===!1){let b=R.textures,X=R.width,he=R.height,oe=i.COLOR_BUFFER_BIT,ve=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ye=n.get(R),te=b.length>1;if(te)for(let pe=0;pe<b.length;pe++)t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.RENDERBUFFER,null),t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.TEXTURE_2D,null,0);t.bindFramebuffer(i.READ_FRAMEBUFFER,ye.__webglMultisampledFramebuffer),R.texture.mipmaps.length>0?t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ye.__webglFramebuffer[0]):t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ye.__webglFramebuffer);for(let pe=0;pe<b.length;pe++){if(R.resolveDepthBuffer&&(R.depthBuffer&&(oe|=i.DEPTH_BUFFER_BIT),R.stencilBuffer&&R.resolveStencilBuffer&&(oe|=i.STENCIL_BUFFER_BIT)),te){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,ye.__webglColorRenderbuffer[pe]);let U=n.get(b[pe]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,U,0)}i.blitFramebuffer(0,0,X,he,0,0,X,he,oe,i.NEAREST),l===!0&&(Ce.length=0,Ce.push(i.COLOR_ATTACHMENT0+pe),R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&Ce.push(ve),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ce))}if(t.bindFramebuffer(i.READ_FRAMEBUFFER,null),t.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),te)for(let pe=0;pe<b.length;pe++){t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.RENDERBUFFER,ye.__webglColorRenderbuffer[pe]);let U=n.get(b[pe]).__webglTexture;t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.TEXTURE_2D,U,0)}t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ye.__webglMultisampledFramebuffer)}else if(R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&l){let b=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[b])}}}function rt(R){return Math.min(s.maxSamples,R.samples)}function Se(R){let b=n.get(R);return R.samples>0&&e.has("WEBGL_multisampled_render_to_texture")===!0&&b.__useRenderToTexture!==!1}function Ot(R){let b=o.render.frame;h.get(R)!==b&&(h.set(R,b),R.update())}function He(R,b){let X=R.colorSpace,he=R.format,oe=R.type;return R.isCompressedTexture===!0||R.isVideoTexture===!0||X!==ta&&X!==Ss&&(yt.getTransfer(X)===Ct?(he!==Oi||oe!==Jn)&&$e("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Ke("WebGLTextures: Unsupported texture color space:",X)),b}function Ye(R){return typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement?(c.width=R.naturalWidth||R.width,c.height=R.naturalHeight||R.height):typeof VideoFrame<"u"&&R instanceof VideoFrame?(c.width=R.displayWidth,c.height=R.displayHeight):(c.width=R.width,c.height=R.height),c}this.allocateTextureUnit=ue,this.resetTextureUnits=Q,this.getTextureUnits=se,this.setTextureUnits=de,this.setTexture2D=me,this.setTexture2DArray=xe,this.setTexture3D=Ae,this.setTextureCube=Me,this.rebindTextures=Kt,this.setupRenderTarget=cn,this.updateRenderTargetMipmap=F,this.updateMultisampleRenderTarget=Ze,this.setupDepthRenderbuffer=vn,this.setupFrameBufferTexture=Dt,this.useMultisampledRTT=Se,this.dispose=W}function MS(i,e){function t(n,s=Ss){let r,o=yt.getTransfer(s);if(n===Jn)return i.UNSIGNED_BYTE;if(n===yc)return i.UNSIGNED_SHORT_4_4_4_4;if(n===_c)return i.UNSIGNED_SHORT_5_5_5_1;if(n===gd)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===vd)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===pd)return i.BYTE;if(n===md)return i.SHORT;if(n===fo)return i.UNSIGNED_SHORT;if(n===xc)return i.INT;if(n===Ui)return i.UNSIGNED_INT;if(n===_i)return i.FLOAT;if(n===Fi)return i.HALF_FLOAT;if(n===xd)return i.ALPHA;if(n===yd)return i.RGB;if(n===Oi)return i.RGBA;if(n===xs)return i.DEPTH_COMPONENT;if(n===Ms)return i.DEPTH_STENCIL;if(n===po)return i.RED;if(n===bc)return i.RED_INTEGER;if(n===Ys)return i.RG;if(n===Mc)return i.RG_INTEGER;if(n===Sc)return i.RGBA_INTEGER;if(n===Da||n===Ua||n===Fa||n===Oa)if(o===Ct)if(r=e.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===Da)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===Ua)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Fa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Oa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=e.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===Da)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===Ua)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Fa)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Oa)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===wc||n===Ec||n===Tc||n===Ac)if(r=e.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===wc)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Ec)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Tc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Ac)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Rc||n===Cc||n===Pc||n===Ic||n===Lc||n===ka||n===Nc)if(r=e.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Rc||n===Cc)return o===Ct?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===Pc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===Ic)return r.COMPRESSED_R11_EAC;if(n===Lc)return r.COMPRESSED_SIGNED_R11_EAC;if(n===ka)return r.COMPRESSED_RG11_EAC;if(n===Nc)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===Dc||n===Uc||n===Fc||n===Oc||n===kc||n===Bc||n===zc||n===Hc||n===Vc||n===Gc||n===Wc||n===Xc||n===qc||n===Yc)if(r=e.get("WEBGL_compressed_texture_astc"),r!==null){if(n===Dc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Uc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Fc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Oc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===kc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===Bc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===zc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===Hc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Vc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Gc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Wc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Xc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===qc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Yc)return o===Ct?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===$c||n===Zc||n===Jc)if(r=e.get("EXT_texture_compression_bptc"),r!==null){if(n===$c)return o===Ct?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Zc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Jc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Kc||n===jc||n===Ba||n===Qc)if(r=e.get("EXT_texture_compression_rgtc"),r!==null){if(n===Kc)return r.COMPRESSED_RED_RGTC1_EXT;if(n===jc)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Ba)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Qc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===fr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:t}}var SS=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,wS=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Hd=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new ga(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new yi({vertexShader:SS,fragmentShader:wS,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new At(new Ni(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Vd=class extends ji{constructor(e,t){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,d=null,f=null,g=null,y=typeof XRWebGLBinding<"u",m=new Hd,p={},_=t.getContextAttributes(),A=null,M=null,C=[],T=[],x=new We,E=null,O=null,I=new Cn;I.viewport=new Zt;let L=new Cn;L.viewport=new Zt;let z=[I,L],H=new fc,D=null,W=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(ee){let me=C[ee];return me===void 0&&(me=new ro,C[ee]=me),me.getTargetRaySpace()},this.getControllerGrip=function(ee){let me=C[ee];return me===void 0&&(me=new ro,C[ee]=me),me.getGripSpace()},this.getHand=function(ee){let me=C[ee];return me===void 0&&(me=new ro,C[ee]=me),me.getHandSpace()};function Y(ee){let me=T.indexOf(ee.inputSource);if(me===-1)return;let xe=C[me];xe!==void 0&&(xe.update(ee.inputSource,ee.frame,c||o),xe.dispatchEvent({type:ee.type,data:ee.inputSource}))}function G(){s.removeEventListener("select",Y),s.removeEventListener("selectstart",Y),s.removeEventListener("selectend",Y),s.removeEventListener("squeeze",Y),s.removeEventListener("squeezestart",Y),s.removeEventListener("squeezeend",Y),s.removeEventListener("end",G),s.removeEventListener("inputsourceschange",ce);for(let ee=0;ee<C.length;ee++){let me=T[ee];me!==null&&(T[ee]=null,C[ee].disconnect(me))}D=null,W=null,m.reset();for(let ee in p)delete p[ee];if(e.setRenderTarget(A),f=null,d=null,u=null,s=null,M=null,ue.stop(),n.isPresenting=!1,e.setPixelRatio(E),e.setSize(x.width,x.height,!1),O!==null){let ee=O.camera;ee.fov=O.fov,ee.zoom=O.zoom,ee.updateProjectionMatrix(),O=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(ee){r=ee,n.isPresenting===!0&&$e("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(ee){a=ee,n.isPresenting===!0&&$e("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(ee){c=ee},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return u===null&&y&&(u=new XRWebGLBinding(s,t)),u},this.getFrame=function(){return g},this.getSession=function(){return s},this.setSession=async function(ee){if(s=ee,s!==null){if(A=e.getRenderTarget(),s.addEventListener("select",Y),s.addEventListener("selectstart",Y),s.addEventListener("selectend",Y),s.addEventListener("squeeze",Y),s.addEventListener("squeezestart",Y),s.addEventListener("squeezeend",Y),s.addEventListener("end",G),s.addEventListener("inputsourceschange",ce),_.xrCompatible!==!0&&await t.makeXRCompatible(),E=e.getPixelRatio(),e.getSize(x),y&&"createProjectionLayer"in XRWebGLBinding.prototype){let xe=null,Ae=null,Me=null;_.depth&&(Me=_.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,xe=_.stencil?Ms:xs,Ae=_.stencil?fr:Ui);let Xe={colorFormat:t.RGBA8,depthFormat:Me,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(Xe),s.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),M=new ri(d.textureWidth,d.textureHeight,{format:Oi,type:Jn,depthTexture:new bs(d.textureWidth,d.textureHeight,Ae,void 0,void 0,void 0,void 0,void 0,void 0,xe),stencilBuffer:_.stencil,colorSpace:e.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let xe={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,t,xe),s.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),M=new ri(f.framebufferWidth,f.framebufferHeight,{format:Oi,type:Jn,colorSpace:e.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}M.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),ue.setContext(s),ue.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function ce(ee){for(let me=0;me<ee.removed.length;me++){let xe=ee.removed[me],Ae=T.indexOf(xe);Ae>=0&&(T[Ae]=null,C[Ae].disconnect(xe))}for(let me=0;me<ee.added.length;me++){let xe=ee.added[me],Ae=T.indexOf(xe);if(Ae===-1){for(let Xe=0;Xe<C.length;Xe++)if(Xe>=T.length){T.push(xe),Ae=Xe;break}else if(T[Xe]===null){T[Xe]=xe,Ae=Xe;break}if(Ae===-1)break}let Me=C[Ae];Me&&Me.connect(xe)}}function J(ee,me){me===null?ee.matrixWorld.copy(ee.matrix):ee.matrixWorld.multiplyMatrices(me.matrixWorld,ee.matrix),ee.matrixWorldInverse.copy(ee.matrixWorld).invert()}this.updateCamera=function(ee){if(s===null)return;let me=ee.near,xe=ee.far;m.texture!==null&&(m.depthNear>0&&(me=m.depthNear),m.depthFar>0&&(xe=m.depthFar)),H.near=L.near=I.near=me,H.far=L.far=I.far=xe,(D!==H.near||W!==H.far)&&(s.updateRenderState({depthNear:H.near,depthFar:H.far}),D=H.near,W=H.far),H.layers.mask=ee.layers.mask|6,I.layers.mask=H.layers.mask&-5,L.layers.mask=H.layers.mask&-3;let Ae=ee.parent,Me=H.cameras;J(H,Ae);for(let Xe=0;Xe<Me.length;Xe++)J(Me[Xe],Ae);H.projectionMatrix.copy(I.projectionMatrix),H.projectionMatrixInverse.copy(I.projectionMatrixInverse),O===null&&ee.isPerspectiveCamera&&(O={camera:ee,fov:ee.fov,zoom:ee.zoom}),Q(ee,H,Ae)};function Q(ee,me,xe){xe===null?ee.matrix.copy(me.matrixWorld):(ee.matrix.copy(xe.matrixWorld),ee.matrix.invert(),ee.matrix.multiply(me.matrixWorld)),ee.matrix.decompose(ee.position,ee.quaternion,ee.scale),ee.updateMatrixWorld(!0),ee.projectionMatrix.copy(me.projectionMatrix),ee.projectionMatrixInverse.copy(me.projectionMatrixInverse),ee.isPerspectiveCamera&&(ee.fov=no*2*Math.atan(1/ee.projectionMatrix.elements[5]),ee.zoom=1)}this.getCamera=function(){return H},this.getFoveation=function(){if(!(d===null&&f===null))return l},this.setFoveation=function(ee){l=ee,d!==null&&(d.fixedFoveation=ee),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=ee)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(H)},this.getCameraTexture=function(ee){return p[ee]};let se=null;function de(ee,me){if(h=me.getViewerPose(c||o),g=me,h!==null){let xe=h.views;f!==null&&(e.setRenderTargetFramebuffer(M,f.framebuffer),e.setRenderTarget(M));let Ae=!1;xe.length!==H.cameras.length&&(H.cameras.length=0,Ae=!0);for(let Ve=0;Ve<xe.length;Ve++){let dt=xe[Ve],ct=null;if(f!==null)ct=f.getViewport(dt);else{let Yt=u.getViewSubImage(d,dt);ct=Yt.viewport,Ve===0&&(e.setRenderTargetTextures(M,Yt.colorTexture,Yt.depthStencilTexture),e.setRenderTarget(M))}let nt=z[Ve];nt===void 0&&(nt=new Cn,nt.layers.enable(Ve),nt.viewport=new Zt,z[Ve]=nt),nt.matrix.fromArray(dt.transform.matrix),nt.matrix.decompose(nt.position,nt.quaternion,nt.scale),nt.projectionMatrix.fromArray(dt.projectionMatrix),nt.projectionMatrixInverse.copy(nt.projectionMatrix).invert(),nt.viewport.set(ct.x,ct.y,ct.width,ct.height),Ve===0&&(H.matrix.copy(nt.matrix),H.matrix.decompose(H.position,H.quaternion,H.scale)),Ae===!0&&H.cameras.push(nt)}let Me=s.enabledFeatures;if(Me&&Me.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&y){u=n.getBinding();let Ve=u.getDepthInformation(xe[0]);Ve&&Ve.isValid&&Ve.texture&&m.init(Ve,s.renderState)}if(Me&&Me.includes("camera-access")&&y){e.state.unbindTexture(),u=n.getBinding();for(let Ve=0;Ve<xe.length;Ve++){let dt=xe[Ve].camera;if(dt){let ct=p[dt];ct||(ct=new ga,p[dt]=ct);let nt=u.getCameraImage(dt);ct.sourceTexture=nt}}}}for(let xe=0;xe<C.length;xe++){let Ae=T[xe],Me=C[xe];Ae!==null&&Me!==void 0&&Me.update(Ae,me,c||o)}se&&se(ee,me),me.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:me}),g=null}let ue=new ag;ue.setAnimationLoop(de),this.setAnimationLoop=function(ee){se=ee},this.dispose=function(){}}},ES=new lt,vg=new tt;vg.set(-1,0,0,0,1,0,0,0,1);function TS(i,e){function t(m,p){m.matrixAutoUpdate===!0&&m.updateMatrix(),p.value.copy(m.matrix)}function n(m,p){p.color.getRGB(m.fogColor.value,Cd(i)),p.isFog?(m.fogNear.value=p.near,m.fogFar.value=p.far):p.isFogExp2&&(m.fogDensity.value=p.density)}function s(m,p,_,A,M){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(m,p):p.isMeshLambertMaterial?(r(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(m,p),u(m,p)):p.isMeshPhongMaterial?(r(m,p),h(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(m,p),d(m,p),p.isMeshPhysicalMaterial&&f(m,p,M)):p.isMeshMatcapMaterial?(r(m,p),g(m,p)):p.isMeshDepthMaterial?r(m,p):p.isMeshDistanceMaterial?(r(m,p),y(m,p)):p.isMeshNormalMaterial?r(m,p):p.isLineBasicMaterial?(o(m,p),p.isLineDashedMaterial&&a(m,p)):p.isPointsMaterial?l(m,p,_,A):p.isSpriteMaterial?c(m,p):p.isShadowMaterial?(m.color.value.copy(p.color),m.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(m,p){m.opacity.value=p.opacity,p.color&&m.diffuse.value.copy(p.color),p.emissive&&m.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(m.map.value=p.map,t(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.bumpMap&&(m.bumpMap.value=p.bumpMap,t(p.bumpMap,m.bumpMapTransform),m.bumpScale.value=p.bumpScale,p.side===Nn&&(m.bumpScale.value*=-1)),p.normalMap&&(m.normalMap.value=p.normalMap,t(p.normalMap,m.normalMapTransform),m.normalScale.value.copy(p.normalScale),p.side===Nn&&m.normalScale.value.negate()),p.displacementMap&&(m.displacementMap.value=p.displacementMap,t(p.displacementMap,m.displacementMapTransform),m.displacementScale.value=p.displacementScale,m.displacementBias.value=p.displacementBias),p.emissiveMap&&(m.emissiveMap.value=p.emissiveMap,t(p.emissiveMap,m.emissiveMapTransform)),p.specularMap&&(m.specularMap.value=p.specularMap,t(p.specularMap,m.specularMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest);let _=e.get(p),A=_.envMap,M=_.envMapRotation;A&&(m.envMap.value=A,m.envMapRotation.value.setFromMatrix4(ES.makeRotationFromEuler(M)).transpose(),A.isCubeTexture&&A.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(vg),m.reflectivity.value=p.reflectivity,m.ior.value=p.ior,m.refractionRatio.value=p.refractionRatio),p.lightMap&&(m.lightMap.value=p.lightMap,m.lightMapIntensity.value=p.lightMapIntensity,t(p.lightMap,m.lightMapTransform)),p.aoMap&&(m.aoMap.value=p.aoMap,m.aoMapIntensity.value=p.aoMapIntensity,t(p.aoMap,m.aoMapTransform))}function o(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,p.map&&(m.map.value=p.map,t(p.map,m.mapTransform))}function a(m,p){m.dashSize.value=p.dashSize,m.totalSize.value=p.dashSize+p.gapSize,m.scale.value=p.scale}function l(m,p,_,A){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.size.value=p.size*_,m.scale.value=A*.5,p.map&&(m.map.value=p.map,t(p.map,m.uvTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function c(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.rotation.value=p.rotation,p.map&&(m.map.value=p.map,t(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function h(m,p){m.specular.value.copy(p.specular),m.shininess.value=Math.max(p.shininess,1e-4)}function u(m,p){p.gradientMap&&(m.gradientMap.value=p.gradientMap)}function d(m,p){m.metalness.value=p.metalness,p.metalnessMap&&(m.metalnessMap.value=p.metalnessMap,t(p.metalnessMap,m.metalnessMapTransform)),m.roughness.value=p.roughness,p.roughnessMap&&(m.roughnessMap.value=p.roughnessMap,t(p.roughnessMap,m.roughnessMapTransform)),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)}function f(m,p,_){m.ior.value=p.ior,p.diffuseRoughness>0&&(m.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=p.diffuseRoughnessMap,t(p.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),p.sheen>0&&(m.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),m.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(m.sheenColorMap.value=p.sheenColorMap,t(p.sheenColorMap,m.sheenColorMapTransform)),p.sheenRoughnessMap&&(m.sheenRoughnessMap.value=p.sheenRoughnessMap,t(p.sheenRoughnessMap,m.sheenRoughnessMapTransform))),p.clearcoat>0&&(m.clearcoat.value=p.clearcoat,m.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(m.clearcoatMap.value=p.clearcoatMap,t(p.clearcoatMap,m.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,t(p.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(m.clearcoatNormalMap.value=p.clearcoatNormalMap,t(p.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===Nn&&m.clearcoatNormalScale.value.negate())),p.dispersion>0&&(m.dispersion.value=p.dispersion),p.retroreflectivity>0&&(m.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(m.iridescence.value=p.iridescence,m.iridescenceIOR.value=p.iridescenceIOR,m.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(m.iridescenceMap.value=p.iridescenceMap,t(p.iridescenceMap,m.iridescenceMapTransform)),p.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=p.iridescenceThicknessMap,t(p.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),p.transmission>0&&(m.transmission.value=p.transmission,m.transmissionSamplerMap.value=_.texture,m.transmissionSamplerSize.value.set(_.width,_.height),p.transmissionMap&&(m.transmissionMap.value=p.transmissionMap,t(p.transmissionMap,m.transmissionMapTransform)),m.thickness.value=p.thickness,p.thicknessMap&&(m.thicknessMap.value=p.thicknessMap,t(p.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=p.attenuationDistance,m.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(m.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(m.anisotropyMap.value=p.anisotropyMap,t(p.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=p.specularIntensity,m.specularColor.value.copy(p.specularColor),p.specularColorMap&&(m.specularColorMap.value=p.specularColorMap,t(p.specularColorMap,m.specularColorMapTransform)),p.specularIntensityMap&&(m.specularIntensityMap.value=p.specularIntensityMap,t(p.specularIntensityMap,m.specularIntensityMapTransform))}function g(m,p){p.matcap&&(m.matcap.value=p.matcap)}function y(m,p){let _=e.get(p).light;m.referencePosition.value.setFromMatrixPosition(_.matrixWorld),m.nearDistance.value=_.shadow.camera.near,m.farDistance.value=_.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function AS(i,e,t,n){let s={},r={};function o(_,A){let M=A.program;n.uniformBlockBinding(_,M,s[_.id])}function a(_,A){let M=s[_.id];M===void 0&&(g(_),M=l(_),s[_.id]=M,_.addEventListener("dispose",m));let C=A.program;n.updateUBOMapping(_,C);let T=e.render.frame;r[_.id]!==T&&(c(_),r[_.id]=T)}function l(_){let A=i.createBuffer(),M=_.__size,C=_.usage;return i.bindBuffer(i.UNIFORM_BUFFER,A),i.bufferData(i.UNIFORM_BUFFER,M,C),i.bindBuffer(i.UNIFORM_BUFFER,null),A}function c(_){let A=s[_.id],M=_.uniforms,C=_.__cache;i.bindBuffer(i.UNIFORM_BUFFER,A);for(let T=0,x=M.length;T<x;T++){let E=M[T];if(Array.isArray(E))for(let O=0,I=E.length;O<I;O++)h(E[O],T,O,C);else h(E,T,0,C)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(_,A,M,C){if(d(_,A,M,C)===!0){let T=_.__offset,x=_.value;if(Array.isArray(x)){let E=0;for(let O=0;O<x.length;O++){let I=x[O],L=y(I,!0);u(I,_.__data,E),E+=L.storage/Float32Array.BYTES_PER_ELEMENT}}else u(x,_.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,T,_.__data)}}function u(_,A,M){typeof _=="number"||typeof _=="boolean"?A[M]=_:_.isMatrix3?(A[M]=_.elements[0],A[M+1]=_.elements[1],A[M+2]=_.elements[2],A[M+3]=0,A[M+4]=_.elements[3],A[M+5]=_.elements[4],A[M+6]=_.elements[5],A[M+7]=0,A[M+8]=_.elements[6],A[M+9]=_.elements[7],A[M+10]=_.elements[8],A[M+11]=0):ArrayBuffer.isView(_)?A.set(_.subarray(0,A.length-M),M):_.toArray(A,M)}function d(_,A,M,C){let T=_.value,x=A+"_"+M;if(Array.isArray(T)){C[x]===void 0&&(C[x]=[]);let E=C[x],O=!1;for(let I=0;I<T.length;I++)f(T[I],E,I)===!0&&(O=!0);return O}return f(T,C,x)}function f(_,A,M){if(A[M]===void 0)return typeof _=="number"||typeof _=="boolean"?A[M]=_:ArrayBuffer.isView(_)?A[M]=_.slice():A[M]=_.clone(),!0;{let C=A[M];if(typeof _=="number"||typeof _=="boolean"){if(C!==_)return A[M]=_,!0}else{if(ArrayBuffer.isView(_))return!0;if(C.equals(_)===!1)return C.copy(_),!0}}return!1}function g(_){let A=_.uniforms,M=0,C=16;for(let x=0,E=A.length;x<E;x++){let O=Array.isArray(A[x])?A[x]:[A[x]];for(let I=0,L=O.length;I<L;I++){let z=O[I],H=Array.isArray(z.value)?z.value:[z.value],D=Array.isArray(A[x])||Array.isArray(z.value),W=M;for(let G=0,ce=H.length;G<ce;G++){let J=H[G],Q=y(J,D),se=M%C,de=se%Q.boundary,ue=se+de;M+=de,ue!==0&&C-ue<Q.storage&&(M+=C-ue),G===0&&(W=M),M+=Q.storage}let Y=z.type==="int"?Int32Array:z.type==="uint"?Uint32Array:Float32Array;z.__data=new Y((M-W)/Float32Array.BYTES_PER_ELEMENT),z.__offset=W}}let T=M%C;return T>0&&(M+=C-T),_.__size=M,_.__cache={},this}function y(_,A){let M={boundary:0,storage:0};return typeof _=="number"||typeof _=="boolean"?(M.boundary=4,M.storage=4):_.isVector2?(M.boundary=8,M.storage=8):_.isVector3||_.isColor?(M.boundary=16,M.storage=12):_.isVector4?(M.boundary=16,M.storage=16):_.isMatrix3?(M.boundary=16,M.storage=48):_.isMatrix4?(M.boundary=16,M.storage=64):_.isTexture?$e("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(_)?(M.boundary=16,M.storage=_.byteLength):$e("WebGLRenderer: Unsupported uniform value type.",_),A===!0&&(M.boundary=16,M.storage=Math.ceil(M.storage/16)*16),M}function m(_){let A=_.target;A.removeEventListener("dispose",m),i.deleteBuffer(s[A.id]),delete s[A.id],delete r[A.id]}function p(){for(let _ in s)i.deleteBuffer(s[_]);s={},r={}}return{bind:o,update:a,dispose:p}}var RS=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),ns=null;function CS(){return ns===null&&(ns=new Li(RS,16,16,Ys,Fi),ns.name="DFG_LUT",ns.minFilter=Ln,ns.magFilter=Ln,ns.wrapS=Ki,ns.wrapT=Ki,ns.generateMipmaps=!1,ns.needsUpdate=!0),ns}var sh=class{constructor(e={}){let{canvas:t=Im(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=Jn}=e;this.isWebGLRenderer=!0;let g;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");g=n.getContextAttributes().alpha}else g=o;let y=f,m=new Set([Sc,Mc,bc]),p=new Set([Jn,Ui,fo,fr,yc,_c]),_=new Uint32Array(4),A=new Int32Array(4),M={textures:[],min:[],max:[],resolution:[]},C=null,T=null,x=[],E=[],O=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=ts,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let I=this,L=!1,z=null,H=null,D=null,W=null;this._outputColorSpace=nn;let Y=0,G=0,ce=null,J=-1,Q=null,se=new Zt,de=new Zt,ue=null,ee=new Be(0),me=0,xe=t.width,Ae=t.height,Me=1,Xe=null,st=null,Ve=new Zt(0,0,xe,Ae),dt=new Zt(0,0,xe,Ae),ct=!1,nt=new Hs,Yt=new Jl,zt=!1,ln=!1,Dt=new lt,Sn=new k,Mt=new Zt,vn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},Kt=!1;function cn(){return ce===null?Me:1}let F=n;function Ce(w,B){return t.getContext(w,B)}let Ze,rt,Se,Ot,He,Ye,R,b,X,he,oe,ve,ye,te,ie,pe,U,re,ne,we,ge,be,Ge;try{let w={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in t&&t.setAttribute("data-engine",`three.js r${"187"}`),t.addEventListener("webglcontextlost",Oe,!1),t.addEventListener("webglcontextrestored",Qe,!1),t.addEventListener("webglcontextcreationerror",Re,!1),F===null){let B="webgl2";if(F=Ce(B,w),F===null)throw Ce(B)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}je()}catch(w){throw t.removeEventListener("webglcontextlost",Oe,!1),t.removeEventListener("webglcontextrestored",Qe,!1),t.removeEventListener("webglcontextcreationerror",Re,!1),Ke("WebGLRenderer: "+w.message),w}function je(){Ze=new zb(F),Ze.init(),ge=new MS(F,Ze),rt=new Cb(F,Ze,e,ge),Se=new _S(F,Ze),rt.reversedDepthBuffer&&d&&Se.buffers.depth.setReversed(!0),H=F.createFramebuffer(),D=F.createFramebuffer(),W=F.createFramebuffer(),Ot=new Gb(F),He=new oS,Ye=new bS(F,Ze,Se,He,rt,ge,Ot),R=new Bb(I),b=new Xx(F),be=new Ab(F,b),X=new Hb(F,b,Ot,be),he=new Xb(F,X,b,be,Ot),re=new Wb(F,rt,Ye),ie=new Pb(He),oe=new rS(I,R,Ze,rt,be,ie),ve=new TS(I,He),ye=new lS,te=new pS(Ze),U=new Tb(I,R,Se,he,g,l),pe=new yS(I,he,rt),Ge=new AS(F,Ot,rt,Se),ne=new Rb(F,Ze,Ot),we=new Vb(F,Ze,Ot),Ot.programs=oe.programs,I.capabilities=rt,I.extensions=Ze,I.properties=He,I.renderLists=ye,I.shadowMap=pe,I.state=Se,I.info=Ot}y!==Jn&&(O=new Yb(y,t.width,t.height,a,s,r));let le=new Vd(I,F);this.xr=le,this.getContext=function(){return F},this.getContextAttributes=function(){return F.getContextAttributes()},this.forceContextLoss=function(){let w=Ze.get("WEBGL_lose_context");w&&w.loseContext()},this.forceContextRestore=function(){let w=Ze.get("WEBGL_lose_context");w&&w.restoreContext()},this.getPixelRatio=function(){return Me},this.setPixelRatio=function(w){w!==void 0&&(Me=w,this.setSize(xe,Ae,!1))},this.getSize=function(w){return w.set(xe,Ae)},this.setSize=function(w,B,K=!0){if(le.isPresenting){$e("WebGLRenderer: Can't change size while VR device is presenting.");return}xe=w,Ae=B,t.width=Math.floor(w*Me),t.height=Math.floor(B*Me),K===!0&&(t.style.width=w+"px",t.style.height=B+"px"),O!==null&&O.setSize(t.width,t.height),this.setViewport(0,0,w,B)},this.getDrawingBufferSize=function(w){return w.set(xe*Me,Ae*Me).floor()},this.setDrawingBufferSize=function(w,B,K){xe=w,Ae=B,Me=K,t.width=Math.floor(w*K),t.height=Math.floor(B*K),this.setViewport(0,0,w,B)},this.setEffects=function(w){if(y===Jn){Ke("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(w){for(let B=0;B<w.length;B++)if(w[B].isOutputPass===!0){$e("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}O.setEffects(w||[])},this.getCurrentViewport=function(w){return w.copy(se)},this.getViewport=function(w){return w.copy(Ve)},this.setViewport=function(w,B,K,q){w.isVector4?Ve.set(w.x,w.y,w.z,w.w):Ve.set(w,B,K,q),Se.viewport(se.copy(Ve).multiplyScalar(cn()).round())},this.getScissor=function(w){return w.copy(dt)},this.setScissor=function(w,B,K,q){w.isVector4?dt.set(w.x,w.y,w.z,w.w):dt.set(w,B,K,q),Se.scissor(de.copy(dt).multiplyScalar(cn()).round())},this.getScissorTest=function(){return ct},this.setScissorTest=function(w){Se.setScissorTest(ct=w)},this.setOpaqueSort=function(w){Xe=w},this.setTransparentSort=function(w){st=w},this.getClearColor=function(w){return w.copy(U.getClearColor())},this.setClearColor=function(){U.setClearColor(...arguments)},this.getClearAlpha=function(){return U.getClearAlpha()},this.setClearAlpha=function(){U.setClearAlpha(...arguments)},this.clear=function(w=!0,B=!0,K=!0){let q=0;if(w){let $=!1;if(ce!==null){let Ee=ce.texture.format;$=m.has(Ee)}if($){let Ee=ce.texture.type,Pe=p.has(Ee),Te=U.getClearColor(),Ie=U.getClearAlpha(),ze=Te.r,et=Te.g,ft=Te.b;Pe?(_[0]=ze,_[1]=et,_[2]=ft,_[3]=Ie,F.clearBufferuiv(F.COLOR,0,_)):(A[0]=ze,A[1]=et,A[2]=ft,A[3]=Ie,F.clearBufferiv(F.COLOR,0,A))}else q|=F.COLOR_BUFFER_BIT}B&&(q|=F.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),K&&(q|=F.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),q!==0&&F.clear(q)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(w){w.setRenderer(this),z=w},this.dispose=function(){t.removeEventListener("webglcontextlost",Oe,!1),t.removeEventListener("webglcontextrestored",Qe,!1),t.removeEventListener("webglcontextcreationerror",Re,!1),U.dispose(),ye.dispose(),te.dispose(),Ye.dispose(),He.dispose(),R.dispose(),he.dispose(),X.dispose(),be.dispose(),Ge.dispose(),oe.dispose(),le.dispose(),le.removeEventListener("sessionstart",il),le.removeEventListener("sessionend",Gi),os.stop()};function Oe(w){w.preventDefault(),sa("WebGLRenderer: Context Lost."),L=!0}function Qe(){sa("WebGLRenderer: Context Restored."),L=!1;let w=Ot.autoReset,B=pe.enabled,K=pe.autoUpdate,q=pe.needsUpdate,$=pe.type;je(),Ot.autoReset=w,pe.enabled=B,pe.autoUpdate=K,pe.needsUpdate=q,pe.type=$}function Re(w){Ke("WebGLRenderer: A WebGL context could not be created. Reason: ",w.statusMessage)}function ot(w){let B=w.target;B.removeEventListener("dispose",ot),Ht(B)}function Ht(w){Bn(w),He.remove(w)}function Bn(w){let B=He.get(w).programs;B!==void 0&&(B.forEach(function(K){oe.releaseProgram(K)}),w.isShaderMaterial&&oe.releaseShaderCache(w))}this.renderBufferDirect=function(w,B,K,q,$,Ee){B===null&&(B=vn);let Pe=$.isMesh&&$.matrixWorld.determinantAffine()<0,Te=Fo(w,B,K,q,$);Se.setMaterial(q,Pe);let Ie=K.index,ze=1;if(q.wireframe===!0){if(Ie=X.getWireframeAttribute(K),Ie===void 0)return;ze=2}let et=K.drawRange,ft=K.attributes.position,ke=et.start*ze,pt=(et.start+et.count)*ze;Ee!==null&&(ke=Math.max(ke,Ee.start*ze),pt=Math.min(pt,(Ee.start+Ee.count)*ze)),Ie!==null?(ke=Math.max(ke,0),pt=Math.min(pt,Ie.count)):ft!=null&&(ke=Math.max(ke,0),pt=Math.min(pt,ft.count));let Jt=pt-ke;if(Jt<0||Jt===1/0)return;be.setup($,q,Te,K,Ie);let It,Lt=ne;if(Ie!==null&&(It=b.get(Ie),Lt=we,Lt.setIndex(It)),$.isMesh)q.wireframe===!0?(Se.setLineWidth(q.wireframeLinewidth*cn()),Lt.setMode(F.LINES)):Lt.setMode(F.TRIANGLES);else if($.isLine){let xn=q.linewidth;xn===void 0&&(xn=1),Se.setLineWidth(xn*cn()),$.isLineSegments?Lt.setMode(F.LINES):$.isLineLoop?Lt.setMode(F.LINE_LOOP):Lt.setMode(F.LINE_STRIP)}else $.isPoints?Lt.setMode(F.POINTS):$.isSprite&&Lt.setMode(F.TRIANGLES);if($.isBatchedMesh)if(Ze.get("WEBGL_multi_draw"))Lt.renderMultiDraw($._multiDrawStarts,$._multiDrawCounts,$._multiDrawCount);else{let xn=$._multiDrawStarts,Ue=$._multiDrawCounts,hn=$._multiDrawCount,xt=Ie?b.get(Ie).bytesPerElement:1,ls=He.get(q).currentProgram.getUniforms();for(let un=0;un<hn;un++)ls.setValue(F,"_gl_DrawID",un),Lt.render(xn[un]/xt,Ue[un])}else if($.isInstancedMesh)Lt.renderInstances(ke,Jt,$.count);else if(K.isInstancedBufferGeometry){let xn=K._maxInstanceCount!==void 0?K._maxInstanceCount:1/0,Ue=Math.min(K.instanceCount,xn);Lt.renderInstances(ke,Jt,Ue)}else Lt.render(ke,Jt)};function No(w,B,K,q){z!==null&&w.isNodeMaterial&&z.setObject(q,w),zt===!0&&ie.setState(w,K,!1),w.transparent===!0&&w.side===Pn&&w.forceSinglePass===!1?(w.side=Nn,w.needsUpdate=!0,Wi(w,B,q),w.side=es,w.needsUpdate=!0,Wi(w,B,q),w.side=Pn):Wi(w,B,q)}this.compile=function(w,B,K=null){K===null&&(K=w),z!==null&&z.renderStart(w,B,K),T=te.get(K),T.init(B),E.push(T),K.traverseVisible(function($){$.isLight&&$.layers.test(B.layers)&&(T.pushLight($),$.castShadow&&T.pushShadow($))}),w!==K&&w.traverseVisible(function($){$.isLight&&$.layers.test(B.layers)&&(T.pushLight($),$.castShadow&&T.pushShadow($))}),T.setupLights(),z!==null&&z.updateLights(T.state.lightsArray),ln=this.localClippingEnabled,zt=ie.init(this.clippingPlanes,ln),zt===!0&&ie.setGlobalState(this.clippingPlanes,B),z!==null&&pe.render(T.state.shadowsArray,K,B);let q=new Set;return w.traverse(function($){if(!($.isMesh||$.isPoints||$.isLine||$.isSprite))return;let Ee=$.material;if(Ee)if(Array.isArray(Ee))for(let Pe=0;Pe<Ee.length;Pe++){let Te=Ee[Pe];No(Te,K,B,$),q.add(Te)}else No(Ee,K,B,$),q.add(Ee)}),T=E.pop(),z!==null&&z.renderEnd(),q},this.compileAsync=function(w,B,K=null){let q=this.compile(w,B,K);return new Promise($=>{function Ee(){if(q.forEach(function(Pe){let Ie=He.get(Pe).currentProgram;(Ie===void 0||Ie.isReady())&&q.delete(Pe)}),q.size===0){$(w);return}setTimeout(Ee,10)}Ze.get("KHR_parallel_shader_compile")!==null?Ee():setTimeout(Ee,10)})};let Mr=null;function fu(w){Mr&&Mr(w)}function il(){os.stop()}function Gi(){os.start()}let os=new ag;os.setAnimationLoop(fu),typeof self<"u"&&os.setContext(self),this.setAnimationLoop=function(w){Mr=w,le.setAnimationLoop(w),w===null?os.stop():os.start()},le.addEventListener("sessionstart",il),le.addEventListener("sessionend",Gi),this.render=function(w,B){if(B!==void 0&&B.isCamera!==!0){Ke("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;z!==null&&z.renderStart(w,B);let K=le.enabled===!0&&le.isPresenting===!0,q=O!==null&&(ce===null||K)&&O.begin(I,ce);if(w.matrixWorldAutoUpdate===!0&&w.updateMatrixWorld(),B.parent===null&&B.matrixWorldAutoUpdate===!0&&B.updateMatrixWorld(),le.enabled===!0&&le.isPresenting===!0&&(O===null||O.isCompositing()===!1)&&(le.cameraAutoUpdate===!0&&le.updateCamera(B),B=le.getCamera()),w.isScene===!0&&w.onBeforeRender(I,w,B,ce),T=te.get(w,E.length),T.init(B),T.state.textureUnits=Ye.getTextureUnits(),E.push(T),Dt.multiplyMatrices(B.projectionMatrix,B.matrixWorldInverse),B.isArrayCamera?Yt.setFromArrayCamera(B):nt.setFromProjectionMatrix(Dt,gi,B.reversedDepth),ln=this.localClippingEnabled,zt=ie.init(this.clippingPlanes,ln),C=ye.get(w,x.length),C.init(),x.push(C),this.info.render.frame++,le.enabled===!0&&le.isPresenting===!0){let Pe=I.xr.getDepthSensingMesh();Pe!==null&&as(Pe,B,-1/0,I.sortObjects)}as(w,B,0,I.sortObjects),C.finish(),z!==null&&z.updateLights(T.state.lightsArray),I.sortObjects===!0&&C.sort(Xe,st),Kt=le.enabled===!1||le.isPresenting===!1||le.hasDepthSensing()===!1,Kt&&U.addToRenderList(C,w),this.info.autoReset===!0&&this.info.reset(),zt===!0&&ie.beginShadows();let $=T.state.shadowsArray;if(pe.render($,w,B),zt===!0&&ie.endShadows(),(q&&O.hasRenderPass())===!1){let Pe=C.opaque,Te=C.transmissive;if(T.setupLights(),B.isArrayCamera){let Ie=B.cameras;if(Te.length>0)for(let ze=0,et=Ie.length;ze<et;ze++){let ft=Ie[ze];Ti(Pe,Te,w,ft)}Kt&&U.render(w);for(let ze=0,et=Ie.length;ze<et;ze++){let ft=Ie[ze];Do(C,w,ft,ft.viewport)}}else Te.length>0&&Ti(Pe,Te,w,B),Kt&&U.render(w),Do(C,w,B)}ce!==null&&G===0&&(Ye.updateMultisampleRenderTarget(ce),Ye.updateRenderTargetMipmap(ce)),q&&O.end(I),w.isScene===!0&&w.onAfterRender(I,w,B),be.resetDefaultState(),J=-1,Q=null,E.pop(),E.length>0?(T=E[E.length-1],Ye.setTextureUnits(T.state.textureUnits),zt===!0&&ie.setGlobalState(I.clippingPlanes,T.state.camera)):T=null,x.pop(),x.length>0?C=x[x.length-1]:C=null,z!==null&&z.renderEnd()};function as(w,B,K,q){if(w.visible===!1)return;if(w.layers.test(B.layers)){if(w.isGroup)K=w.renderOrder;else if(w.isLOD)w.autoUpdate===!0&&w.update(B);else if(w.isLight)T.pushLight(w),w.castShadow&&T.pushShadow(w);else if(w.isSprite){let Pe=B.isArrayCamera?Yt:nt;if(!w.frustumCulled||w.intersectsFrustum(Pe)){q&&Mt.setFromMatrixPosition(w.matrixWorld).applyMatrix4(Dt);let Te=he.update(w),Ie=w.material;Ie.visible&&C.push(w,Te,Ie,K,Mt.z,null,B)}}else if(w.isMesh||w.isLine||w.isPoints){let Pe=B.isArrayCamera?Yt:nt;if(!w.frustumCulled||w.intersectsFrustum(Pe)){let Te=he.update(w),Ie=w.material;if(q&&(w.boundingSphere!==void 0?(w.boundingSphere===null&&w.computeBoundingSphere(),Mt.copy(w.boundingSphere.center)):(Te.boundingSphere===null&&Te.computeBoundingSphere(),Mt.copy(Te.boundingSphere.center)),Mt.applyMatrix4(w.matrixWorld).applyMatrix4(Dt)),Array.isArray(Ie)){let ze=Te.groups;for(let et=0,ft=ze.length;et<ft;et++){let ke=ze[et],pt=Ie[ke.materialIndex];pt&&pt.visible&&C.push(w,Te,pt,K,Mt.z,ke,B)}}else Ie.visible&&C.push(w,Te,Ie,K,Mt.z,null,B)}}}let Ee=w.children;for(let Pe=0,Te=Ee.length;Pe<Te;Pe++)as(Ee[Pe],B,K,q)}function Do(w,B,K,q){let{opaque:$,transmissive:Ee,transparent:Pe}=w;T.setupLightsView(K),zt===!0&&ie.setGlobalState(I.clippingPlanes,K),q&&Se.viewport(se.copy(q)),$.length>0&&jt($,B,K),Ee.length>0&&jt(Ee,B,K),Pe.length>0&&jt(Pe,B,K),Se.buffers.depth.setTest(!0),Se.buffers.depth.setMask(!0),Se.buffers.color.setMask(!0),Se.setPolygonOffset(!1)}function Ti(w,B,K,q){if((K.isScene===!0?K.overrideMaterial:null)!==null)return;if(T.state.transmissionRenderTarget[q.id]===void 0){let ke=Ze.has("EXT_color_buffer_half_float")||Ze.has("EXT_color_buffer_float");T.state.transmissionRenderTarget[q.id]=new ri(1,1,{generateMipmaps:!0,type:ke?Fi:Jn,minFilter:Di,samples:Math.max(4,rt.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:yt.workingColorSpace})}let Ee=T.state.transmissionRenderTarget[q.id],Pe=q.viewport||se;Ee.setSize(Pe.z*I.transmissionResolutionScale,Pe.w*I.transmissionResolutionScale);let Te=I.getRenderTarget(),Ie=I.getActiveCubeFace(),ze=I.getActiveMipmapLevel();I.setRenderTarget(Ee),I.getClearColor(ee),me=I.getClearAlpha(),me<1&&I.setClearColor(16777215,.5),I.clear(),Kt&&U.render(K);let et=I.toneMapping;I.toneMapping=ts;let ft=q.viewport;if(q.viewport!==void 0&&(q.viewport=void 0),T.setupLightsView(q),zt===!0&&ie.setGlobalState(I.clippingPlanes,q),jt(w,K,q),Ye.updateMultisampleRenderTarget(Ee),Ye.updateRenderTargetMipmap(Ee),Ze.has("WEBGL_multisampled_render_to_texture")===!1){let ke=!1;for(let pt=0,Jt=B.length;pt<Jt;pt++){let It=B[pt],{object:Lt,geometry:xn,material:Ue,group:hn}=It;if(Ue.side===Pn&&Lt.layers.test(q.layers)){let xt=Ue.side;Ue.side=Nn,Ue.needsUpdate=!0,sn(Lt,K,q,xn,Ue,hn),Ue.side=xt,Ue.needsUpdate=!0,ke=!0}}ke===!0&&(Ye.updateMultisampleRenderTarget(Ee),Ye.updateRenderTargetMipmap(Ee))}I.setRenderTarget(Te,Ie,ze),I.setClearColor(ee,me),ft!==void 0&&(q.viewport=ft),I.toneMapping=et}function jt(w,B,K){let q=B.isScene===!0?B.overrideMaterial:null;for(let $=0,Ee=w.length;$<Ee;$++){let Pe=w[$],{object:Te,geometry:Ie,group:ze}=Pe,et=Pe.material;et.allowOverride===!0&&q!==null&&(et=q),Te.layers.test(K.layers)&&sn(Te,B,K,Ie,et,ze)}}function sn(w,B,K,q,$,Ee){z!==null&&$.isNodeMaterial&&z.setObject(w,$),w.onBeforeRender(I,B,K,q,$,Ee),w.modelViewMatrix.multiplyMatrices(K.matrixWorldInverse,w.matrixWorld),w.normalMatrix.getNormalMatrix(w.modelViewMatrix),$.onBeforeRender(I,B,K,q,w,Ee),$.transparent===!0&&$.side===Pn&&$.forceSinglePass===!1?($.side=Nn,$.needsUpdate=!0,I.renderBufferDirect(K,B,q,$,w,Ee),$.side=es,$.needsUpdate=!0,I.renderBufferDirect(K,B,q,$,w,Ee),$.side=Pn):I.renderBufferDirect(K,B,q,$,w,Ee),w.onAfterRender(I,B,K,q,$,Ee)}function rn(w){let B=0;for(let K of w)K.texture!==null&&B++;return B}function Wi(w,B,K){B.isScene!==!0&&(B=vn);let q=He.get(w),$=T.state.lights,Ee=T.state.shadowsArray,Pe=$.state.version,Te=oe.getParameters(w,$.state,Ee,B,K,T.state.lightProbeGridArray),Ie=oe.getProgramCacheKey(Te),ze=q.programs;q.environment=w.isMeshStandardMaterial||w.isMeshLambertMaterial||w.isMeshPhongMaterial?B.environment:null,q.fog=B.fog;let et=w.isMeshStandardMaterial||w.isMeshLambertMaterial&&!w.envMap||w.isMeshPhongMaterial&&!w.envMap;q.envMap=R.get(w.envMap||q.environment,et),q.envMapRotation=q.environment!==null&&w.envMap===null?B.environmentRotation:w.envMapRotation,ze===void 0&&(w.addEventListener("dispose",ot),ze=new Map,q.programs=ze,q.programVariants=new Map);let ft=ze.get(Ie);if(ft!==void 0){if(q.currentProgram===ft&&q.lightsStateVersion===Pe)return Uo(w,Te),ft}else Te.uniforms=oe.getUniforms(w),z!==null&&w.isNodeMaterial&&z.build(w,K,Te),w.onBeforeCompile(Te,I),ft=oe.acquireProgram(Te,Ie),ze.set(Ie,ft),q.uniforms=Te.uniforms;let ke=q.uniforms;return(!w.isShaderMaterial&&!w.isRawShaderMaterial||w.clipping===!0)&&(ke.clippingPlanes=ie.uniform),Uo(w,Te),q.needsLights=Is(w),q.lightsStateVersion=Pe,q.needsLights&&(ke.ambientLightColor.value=$.state.ambient,ke.lightProbe.value=$.state.probe,ke.sunLights.value=$.state.sun,ke.sunLightShadows.value=$.state.sunShadow,ke.directionalLights.value=$.state.directional,ke.directionalLightShadows.value=$.state.directionalShadow,ke.spotLights.value=$.state.spot,ke.spotLightShadows.value=$.state.spotShadow,ke.rectAreaLights.value=$.state.rectArea,ke.ltc_1.value=$.state.rectAreaLTC1,ke.ltc_2.value=$.state.rectAreaLTC2,ke.pointLights.value=$.state.point,ke.pointLightShadows.value=$.state.pointShadow,ke.hemisphereLights.value=$.state.hemi,ke.sunShadowMatrix.value=$.state.sunShadowMatrix,ke.sunShadowCascade.value=$.state.sunShadowCascade,ke.directionalShadowMatrix.value=$.state.directionalShadowMatrix,ke.spotLightMatrix.value=$.state.spotLightMatrix,ke.spotLightMap.value=$.state.spotLightMap,ke.pointShadowMatrix.value=$.state.pointShadowMatrix),q.numLightProbeGrids=rn(T.state.lightProbeGridArray),q.currentProgram=ft,q.uniformsList=null,ft}function jn(w,B,K,q,$){let Ee=He.get(w),Pe=Ee.currentProgram.id+","+q+","+$,Te=Ee.programVariants.get(Pe);return Te===void 0?(Te=Wi(w,B,K),Ee.programVariants.set(Pe,Te)):(Ee.currentProgram=Te,Ee.uniformsList=null,Ee.outputColorSpace=q,Ee.toneMapping=$),Te}function Ps(w){if(w.uniformsList===null){let B=w.currentProgram.getUniforms();w.uniformsList=go.seqWithValue(B.seq,w.uniforms)}return w.uniformsList}function Uo(w,B){let K=He.get(w);K.outputColorSpace=B.outputColorSpace,K.batching=B.batching,K.batchingColor=B.batchingColor,K.instancing=B.instancing,K.instancingColor=B.instancingColor,K.instancingMorph=B.instancingMorph,K.skinning=B.skinning,K.morphTargets=B.morphTargets,K.morphNormals=B.morphNormals,K.morphColors=B.morphColors,K.morphTargetsCount=B.morphTargetsCount,K.numClippingPlanes=B.numClippingPlanes,K.numIntersection=B.numClipIntersection,K.vertexAlphas=B.vertexAlphas,K.vertexTangents=B.vertexTangents,K.toneMapping=B.toneMapping}function Fo(w,B,K,q,$){B.isScene!==!0&&(B=vn),Ye.resetTextureUnits();let Ee=B.fog,Pe=q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial?B.environment:null,Te=ce===null?I.outputColorSpace:ce.isXRRenderTarget===!0?ce.texture.colorSpace:yt.workingColorSpace,Ie=q.isMeshStandardMaterial||q.isMeshLambertMaterial&&!q.envMap||q.isMeshPhongMaterial&&!q.envMap,ze=R.get(q.envMap||Pe,Ie),et=q.vertexColors===!0&&!!K.attributes.color&&K.attributes.color.itemSize===4,ft=!!K.attributes.tangent&&(!!q.normalMap||q.anisotropy>0),ke=!!K.morphAttributes.position,pt=!!K.morphAttributes.normal,Jt=!!K.morphAttributes.color,It=ts;q.toneMapped&&(ce===null||ce.isXRRenderTarget===!0)&&(It=I.toneMapping);let Lt=K.morphAttributes.position||K.morphAttributes.normal||K.morphAttributes.color,xn=Lt!==void 0?Lt.length:0,Ue=He.get(q),hn=T.state.lights;if(zt===!0&&(ln===!0||w!==Q)){let Nt=w===Q&&q.id===J;ie.setState(q,w,Nt)}let xt=!1,ls=!1;q.version===Ue.__version?Ue.needsLights&&Ue.lightsStateVersion!==hn.state.version||$.isBatchedMesh&&Ue.batching===!1||!$.isBatchedMesh&&Ue.batching===!0||$.isBatchedMesh&&Ue.batchingColor===!0&&$._colorsTexture===null||$.isBatchedMesh&&Ue.batchingColor===!1&&$._colorsTexture!==null||$.isInstancedMesh&&Ue.instancing===!1||!$.isInstancedMesh&&Ue.instancing===!0||$.isSkinnedMesh&&Ue.skinning===!1||!$.isSkinnedMesh&&Ue.skinning===!0||$.isInstancedMesh&&Ue.instancingColor===!0&&$.instanceColor===null||$.isInstancedMesh&&Ue.instancingColor===!1&&$.instanceColor!==null||$.isInstancedMesh&&Ue.instancingMorph===!0&&$.morphTexture===null||$.isInstancedMesh&&Ue.instancingMorph===!1&&$.morphTexture!==null||Ue.envMap!==ze||q.fog===!0&&Ue.fog!==Ee||Ue.numClippingPlanes!==void 0&&(Ue.numClippingPlanes!==ie.numPlanes||Ue.numIntersection!==ie.numIntersection)||Ue.vertexAlphas!==et||Ue.vertexTangents!==ft||Ue.morphTargets!==ke||Ue.morphNormals!==pt||Ue.morphColors!==Jt||Ue.morphTargetsCount!==xn||Ue.numLightProbeGrids!==rn(T.state.lightProbeGridArray)?xt=!0:(Ue.outputColorSpace!==Te||Ue.toneMapping!==It)&&(ls=!0):(xt=!0,Ue.__version=q.version);let un=Ue.currentProgram;(xt===!0||ls===!0)&&(un=ls===!0?jn(q,B,$,Te,It):Wi(q,B,$),z&&q.isNodeMaterial&&z.onUpdateProgram(q,un,Ue));let Er=!1,Xi=!1,cs=!1,ht=un.getUniforms(),Qt=Ue.uniforms;if(Se.useProgram(un.program)&&(Er=!0,Xi=!0,cs=!0),q.id!==J&&(J=q.id,Xi=!0),Er||Q!==w){Se.buffers.depth.getReversed()&&w.reversedDepth!==!0&&(w._reversedDepth=!0,w.updateProjectionMatrix()),ht.setValue(F,"projectionMatrix",w.projectionMatrix),ht.setValue(F,"viewMatrix",w.matrixWorldInverse);let dn=ht.map.cameraPosition;dn!==void 0&&dn.setValue(F,Sn.setFromMatrixPosition(w.matrixWorld)),rt.logarithmicDepthBuffer&&ht.setValue(F,"logDepthBufFC",2/(Math.log(w.far+1)/Math.LN2)),(q.isMeshPhongMaterial||q.isMeshToonMaterial||q.isMeshLambertMaterial||q.isMeshBasicMaterial||q.isMeshStandardMaterial||q.isShaderMaterial)&&ht.setValue(F,"isOrthographic",w.isOrthographicCamera===!0),Q!==w&&(Q=w,Xi=!0,cs=!0)}if(Ue.needsLights&&(hn.state.sunShadowMap.length>0&&ht.setValue(F,"sunShadowMap",hn.state.sunShadowMap,Ye),hn.state.directionalShadowMap.length>0&&ht.setValue(F,"directionalShadowMap",hn.state.directionalShadowMap,Ye),hn.state.spotShadowMap.length>0&&ht.setValue(F,"spotShadowMap",hn.state.spotShadowMap,Ye),hn.state.pointShadowMap.length>0&&ht.setValue(F,"pointShadowMap",hn.state.pointShadowMap,Ye)),$.isSkinnedMesh){ht.setOptional(F,$,"bindMatrix"),ht.setOptional(F,$,"bindMatrixInverse");let Nt=$.skeleton;Nt&&(Nt.boneTexture===null&&Nt.computeBoneTexture(),ht.setValue(F,"boneTexture",Nt.boneTexture,Ye))}$.isBatchedMesh&&(ht.setOptional(F,$,"batchingTexture"),ht.setValue(F,"batchingTexture",$._matricesTexture,Ye),ht.setOptional(F,$,"batchingIdTexture"),ht.setValue(F,"batchingIdTexture",$._indirectTexture,Ye),ht.setOptional(F,$,"batchingColorTexture"),$._colorsTexture!==null&&ht.setValue(F,"batchingColorTexture",$._colorsTexture,Ye));let zn=K.morphAttributes;if((zn.position!==void 0||zn.normal!==void 0||zn.color!==void 0)&&re.update($,K,un),(Xi||Ue.receiveShadow!==$.receiveShadow)&&(Ue.receiveShadow=$.receiveShadow,ht.setValue(F,"receiveShadow",$.receiveShadow)),(q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial)&&q.envMap===null&&B.environment!==null&&(Qt.envMapIntensity.value=B.environmentIntensity),Qt.dfgLUT!==void 0&&(Qt.dfgLUT.value=CS()),Xi){if(ht.setValue(F,"toneMappingExposure",I.toneMappingExposure),Ue.needsLights&&Sr(Qt,cs),Ee&&q.fog===!0&&ve.refreshFogUniforms(Qt,Ee),ve.refreshMaterialUniforms(Qt,q,Me,Ae,T.state.transmissionRenderTarget[w.id]),Ue.needsLights&&Ue.numLightProbeGrids>0){let Nt=M,dn=0;for(let Un of T.state.lightProbeGridArray)Un.texture!==null&&(Nt.textures[dn]=Un.texture,Nt.min[dn]=Un.boundingBox.min,Nt.max[dn]=Un.boundingBox.max,Nt.resolution[dn]=Un.resolution,dn++);for(let Un in Nt)Nt[Un].length=dn;Qt.probesSH.value=Nt.textures,Qt.probesMin.value=Nt.min,Qt.probesMax.value=Nt.max,Qt.probesResolution.value=Nt.resolution}go.upload(F,Ps(Ue),Qt,Ye)}if(q.isShaderMaterial&&q.uniformsNeedUpdate===!0&&(go.upload(F,Ps(Ue),Qt,Ye),q.uniformsNeedUpdate=!1),q.isSpriteMaterial&&ht.setValue(F,"center",$.center),ht.setValue(F,"modelViewMatrix",$.modelViewMatrix),ht.setValue(F,"normalMatrix",$.normalMatrix),ht.setValue(F,"modelMatrix",$.matrixWorld),q.uniformsGroups!==void 0){let Nt=q.uniformsGroups;for(let dn=0,Un=Nt.length;dn<Un;dn++){let sl=Nt[dn];Ge.update(sl,un),Ge.bind(sl,un)}}return un}function Sr(w,B){w.ambientLightColor.needsUpdate=B,w.lightProbe.needsUpdate=B,w.sunLights.needsUpdate=B,w.sunLightShadows.needsUpdate=B,w.directionalLights.needsUpdate=B,w.directionalLightShadows.needsUpdate=B,w.pointLights.needsUpdate=B,w.pointLightShadows.needsUpdate=B,w.spotLights.needsUpdate=B,w.spotLightShadows.needsUpdate=B,w.rectAreaLights.needsUpdate=B,w.hemisphereLights.needsUpdate=B}function Is(w){return w.isMeshLambertMaterial||w.isMeshToonMaterial||w.isMeshPhongMaterial||w.isMeshStandardMaterial||w.isShadowMaterial||w.isShaderMaterial&&w.lights===!0}this.getActiveCubeFace=function(){return Y},this.getActiveMipmapLevel=function(){return G},this.getRenderTarget=function(){return ce},this.setRenderTargetTextures=function(w,B,K){let q=He.get(w);q.__autoAllocateDepthBuffer=w.resolveDepthBuffer===!1,q.__autoAllocateDepthBuffer===!1&&(q.__useRenderToTexture=!1),He.get(w.texture).__webglTexture=B,He.get(w.depthTexture).__webglTexture=q.__autoAllocateDepthBuffer?void 0:K,q.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(w,B){let K=He.get(w);K.__webglFramebuffer=B,K.__useDefaultFramebuffer=B===void 0},this.setRenderTarget=function(w,B=0,K=0){ce=w,Y=B,G=K;let q=null,$=!1,Ee=!1;if(w){let Te=He.get(w);if(Te.__useDefaultFramebuffer!==void 0){Se.bindFramebuffer(F.FRAMEBUFFER,Te.__webglFramebuffer),se.copy(w.viewport),de.copy(w.scissor),ue=w.scissorTest,Se.viewport(se),Se.scissor(de),Se.setScissorTest(ue),J=-1;return}else if(Te.__webglFramebuffer===void 0)Ye.setupRenderTarget(w);else if(Te.__hasExternalTextures)Ye.rebindTextures(w,He.get(w.texture).__webglTexture,He.get(w.depthTexture).__webglTexture);else if(w.depthBuffer){let et=w.depthTexture;if(Te.__boundDepthTexture!==et){if(et!==null&&He.has(et)&&(w.width!==et.image.width||w.height!==et.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Ye.setupDepthRenderbuffer(w)}}let Ie=w.texture;(Ie.isData3DTexture||Ie.isDataArrayTexture||Ie.isCompressedArrayTexture)&&(Ee=!0);let ze=He.get(w).__webglFramebuffer;w.isWebGLCubeRenderTarget?(Array.isArray(ze[B])?q=ze[B][K]:q=ze[B],$=!0):w.samples>0&&Ye.useMultisampledRTT(w)===!1?q=He.get(w).__webglMultisampledFramebuffer:Array.isArray(ze)?q=ze[K]:q=ze,se.copy(w.viewport),de.copy(w.scissor),ue=w.scissorTest}else se.copy(Ve).multiplyScalar(Me).floor(),de.copy(dt).multiplyScalar(Me).floor(),ue=ct;if(K!==0&&(q=H),Se.bindFramebuffer(F.FRAMEBUFFER,q)&&Se.drawBuffers(w,q),Se.viewport(se),Se.scissor(de),Se.setScissorTest(ue),$){let Te=He.get(w.texture);F.framebufferTexture2D(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_CUBE_MAP_POSITIVE_X+B,Te.__webglTexture,K)}else if(Ee){let Te=B;for(let Ie=0;Ie<w.textures.length;Ie++){let ze=He.get(w.textures[Ie]);F.framebufferTextureLayer(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0+Ie,ze.__webglTexture,K,Te)}}else if(w!==null&&K!==0){let Te=He.get(w.texture);F.framebufferTexture2D(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,Te.__webglTexture,K)}J=-1};function wr(w){let B=He.get(w);return(B.__readFormat!==w.format||B.__readType!==w.type)&&(B.__readFormat=w.format,B.__readType=w.type,B.__formatReadable=rt.textureFormatReadable(w.format),B.__typeReadable=rt.textureTypeReadable(w.type)),B}this.readRenderTargetPixels=function(w,B,K,q,$,Ee,Pe,Te=0){if(!(w&&w.isWebGLRenderTarget)){Ke("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Ie=He.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Pe!==void 0&&(Ie=Ie[Pe],Array.isArray(Ie)&&(Ie=Ie[0])),Ie){Se.bindFramebuffer(F.FRAMEBUFFER,Ie);try{let ze=w.textures[Te],et=ze.format,ft=ze.type;w.textures.length>1&&F.readBuffer(F.COLOR_ATTACHMENT0+Te);let ke=wr(ze);if(ke.__formatReadable===!1){Ke("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(ke.__typeReadable===!1){Ke("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}B>=0&&B<=w.width-q&&K>=0&&K<=w.height-$&&F.readPixels(B,K,q,$,ge.convert(et),ge.convert(ft),Ee)}finally{let ze=ce!==null?He.get(ce).__webglFramebuffer:null;Se.bindFramebuffer(F.FRAMEBUFFER,ze)}}},this.readRenderTargetPixelsAsync=async function(w,B,K,q,$,Ee,Pe,Te=0){if(!(w&&w.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Ie=He.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Pe!==void 0&&(Ie=Ie[Pe],Array.isArray(Ie)&&(Ie=Ie[0])),Ie)if(B>=0&&B<=w.width-q&&K>=0&&K<=w.height-$){Se.bindFramebuffer(F.FRAMEBUFFER,Ie);let ze=w.textures[Te],et=ze.format,ft=ze.type;w.textures.length>1&&F.readBuffer(F.COLOR_ATTACHMENT0+Te);let ke=wr(ze);if(ke.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(ke.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let pt=F.createBuffer();F.bindBuffer(F.PIXEL_PACK_BUFFER,pt),F.bufferData(F.PIXEL_PACK_BUFFER,Ee.byteLength,F.STREAM_READ),F.readPixels(B,K,q,$,ge.convert(et),ge.convert(ft),0),F.bindBuffer(F.PIXEL_PACK_BUFFER,null);let Jt=ce!==null?He.get(ce).__webglFramebuffer:null;Se.bindFramebuffer(F.FRAMEBUFFER,Jt);let It=F.fenceSync(F.SYNC_GPU_COMMANDS_COMPLETE,0);return F.flush(),await Nm(F,It,4),F.bindBuffer(F.PIXEL_PACK_BUFFER,pt),F.getBufferSubData(F.PIXEL_PACK_BUFFER,0,Ee),F.bindBuffer(F.PIXEL_PACK_BUFFER,null),F.deleteBuffer(pt),F.deleteSync(It),Ee}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(w,B=null,K=0){let q=Math.pow(2,-K),$=Math.floor(w.image.width*q),Ee=Math.floor(w.image.height*q),Pe=B!==null?B.x:0,Te=B!==null?B.y:0;Ye.setTexture2D(w,0),F.copyTexSubImage2D(F.TEXTURE_2D,K,0,0,Pe,Te,$,Ee),Se.unbindTexture()},this.copyTextureToTexture=function(w,B,K=null,q=null,$=0,Ee=0){let Pe,Te,Ie,ze,et,ft,ke,pt,Jt,It=w.isCompressedTexture?w.mipmaps[Ee]:w.image;if(K!==null)Pe=K.max.x-K.min.x,Te=K.max.y-K.min.y,Ie=K.isBox3?K.max.z-K.min.z:1,ze=K.min.x,et=K.min.y,ft=K.isBox3?K.min.z:0;else{let ht=Math.pow(2,-$);Pe=Math.floor(It.width*ht),Te=Math.floor(It.height*ht),w.isDataArrayTexture?Ie=It.depth:w.isData3DTexture?Ie=Math.floor(It.depth*ht):Ie=1,ze=0,et=0,ft=0}q!==null?(ke=q.x,pt=q.y,Jt=q.z):(ke=0,pt=0,Jt=0);let Lt=ge.convert(B.format),xn=ge.convert(B.type),Ue;B.isData3DTexture?(Ye.setTexture3D(B,0),Ue=F.TEXTURE_3D):B.isDataArrayTexture||B.isCompressedArrayTexture?(Ye.setTexture2DArray(B,0),Ue=F.TEXTURE_2D_ARRAY):(Ye.setTexture2D(B,0),Ue=F.TEXTURE_2D),Se.activeTexture(F.TEXTURE0),Se.pixelStorei(F.UNPACK_FLIP_Y_WEBGL,B.flipY),Se.pixelStorei(F.UNPACK_PREMULTIPLY_ALPHA_WEBGL,B.premultiplyAlpha),Se.pixelStorei(F.UNPACK_ALIGNMENT,B.unpackAlignment);let hn=Se.getParameter(F.UNPACK_ROW_LENGTH),xt=Se.getParameter(F.UNPACK_IMAGE_HEIGHT),ls=Se.getParameter(F.UNPACK_SKIP_PIXELS),un=Se.getParameter(F.UNPACK_SKIP_ROWS),Er=Se.getParameter(F.UNPACK_SKIP_IMAGES);Se.pixelStorei(F.UNPACK_ROW_LENGTH,It.width),Se.pixelStorei(F.UNPACK_IMAGE_HEIGHT,It.height),Se.pixelStorei(F.UNPACK_SKIP_PIXELS,ze),Se.pixelStorei(F.UNPACK_SKIP_ROWS,et),Se.pixelStorei(F.UNPACK_SKIP_IMAGES,ft);let Xi=w.isDataArrayTexture||w.isData3DTexture,cs=B.isDataArrayTexture||B.isData3DTexture;if(w.isDepthTexture){let ht=He.get(w),Qt=He.get(B),zn=He.get(ht.__renderTarget),Nt=He.get(Qt.__renderTarget);Se.bindFramebuffer(F.READ_FRAMEBUFFER,zn.__webglFramebuffer),Se.bindFramebuffer(F.DRAW_FRAMEBUFFER,Nt.__webglFramebuffer);for(let dn=0;dn<Ie;dn++)Xi&&(F.framebufferTextureLayer(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,He.get(w).__webglTexture,$,ft+dn),F.framebufferTextureLayer(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,He.get(B).__webglTexture,Ee,Jt+dn)),F.blitFramebuffer(ze,et,ze+Pe,et+Te,ke,pt,ke+Pe,pt+Te,F.DEPTH_BUFFER_BIT,F.NEAREST);Se.bindFramebuffer(F.READ_FRAMEBUFFER,null),Se.bindFramebuffer(F.DRAW_FRAMEBUFFER,null)}else if($!==0||w.isRenderTargetTexture||He.has(w)){let ht=He.get(w),Qt=He.get(B);Se.bindFramebuffer(F.READ_FRAMEBUFFER,D),Se.bindFramebuffer(F.DRAW_FRAMEBUFFER,W);for(let zn=0;zn<Ie;zn++)Xi?F.framebufferTextureLayer(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,ht.__webglTexture,$,ft+zn):F.framebufferTexture2D(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,ht.__webglTexture,$),cs?F.framebufferTextureLayer(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,Qt.__webglTexture,Ee,Jt+zn):F.framebufferTexture2D(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,Qt.__webglTexture,Ee),$!==0?F.blitFramebuffer(ze,et,ze+Pe,et+Te,ke,pt,ke+Pe,pt+Te,F.COLOR_BUFFER_BIT,F.NEAREST):cs?F.copyTexSubImage3D(Ue,Ee,ke,pt,Jt+zn,ze,et,Pe,Te):F.copyTexSubImage2D(Ue,Ee,ke,pt,ze,et,Pe,Te);Se.bindFramebuffer(F.READ_FRAMEBUFFER,null),Se.bindFramebuffer(F.DRAW_FRAMEBUFFER,null)}else cs?w.isDataTexture||w.isData3DTexture?F.texSubImage3D(Ue,Ee,ke,pt,Jt,Pe,Te,Ie,Lt,xn,It.data):B.isCompressedArrayTexture?F.compressedTexSubImage3D(Ue,Ee,ke,pt,Jt,Pe,Te,Ie,Lt,It.data):F.texSubImage3D(Ue,Ee,ke,pt,Jt,Pe,Te,Ie,Lt,xn,It):w.isDataTexture?F.texSubImage2D(F.TEXTURE_2D,Ee,ke,pt,Pe,Te,Lt,xn,It.data):w.isCompressedTexture?F.compressedTexSubImage2D(F.TEXTURE_2D,Ee,ke,pt,It.width,It.height,Lt,It.data):F.texSubImage2D(F.TEXTURE_2D,Ee,ke,pt,Pe,Te,Lt,xn,It);Se.pixelStorei(F.UNPACK_ROW_LENGTH,hn),Se.pixelStorei(F.UNPACK_IMAGE_HEIGHT,xt),Se.pixelStorei(F.UNPACK_SKIP_PIXELS,ls),Se.pixelStorei(F.UNPACK_SKIP_ROWS,un),Se.pixelStorei(F.UNPACK_SKIP_IMAGES,Er),Ee===0&&B.generateMipmaps===!0&&B.mipmapsAutoUpdate===!0&&F.generateMipmap(Ue),Se.unbindTexture()},this.initRenderTarget=function(w){He.get(w).__webglFramebuffer===void 0&&Ye.setupRenderTarget(w)},this.initTexture=function(w){w.isCubeTexture?Ye.setTextureCube(w,0):w.isData3DTexture?Ye.setTexture3D(w,0):w.isDataArrayTexture||w.isCompressedArrayTexture?Ye.setTexture2DArray(w,0):Ye.setTexture2D(w,0),Se.unbindTexture()},this.resetState=function(){Y=0,G=0,ce=null,Se.reset(),be.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return gi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=yt._getDrawingBufferColorSpace(e),t.unpackColorSpace=yt._getUnpackColorSpace()}};var ah=class{constructor(e,t){this.token=e;this.handlers=t}token;handlers;socket=null;nextId=1;retry=300;waiting=new Map;open(){this.handlers.state("connecting","");let e=location.protocol==="https:"?"wss":"ws",t=new WebSocket(`${e}://${location.host}/ws?token=${encodeURIComponent(this.token)}`,"rille.view.1");t.binaryType="arraybuffer",t.onopen=()=>{this.retry=300,this.handlers.state("open","")},t.onmessage=n=>this.receive(n.data),t.onclose=n=>{this.closed(n.reason)},this.socket=t}send(e){return this.socket?.readyState!==WebSocket.OPEN?!1:(this.socket.send(JSON.stringify(e)),!0)}request(e){let t=this.freshId();return new Promise(n=>{let s=r=>{this.waiting.delete(t)&&n({op:"answer",to:t,ok:!1,text:r})};this.waiting.set(t,r=>{this.waiting.delete(t),n(r)}),this.send({...e,id:t})?setTimeout(()=>s("no answer"),15e3):s("no connection")})}freshId(){return this.nextId++}receive(e){if(typeof e!="string"){this.handlers.binary(new DataView(e));return}let t=JSON.parse(e);t.op==="lost"&&this.failAll("the answer was lost: too many requests at once");let n=t.op==="answer"?this.waiting.get(t.to):void 0;n&&t.op==="answer"?n(t):this.handlers.text(t)}failAll(e){for(let[t,n]of[...this.waiting])n({op:"answer",to:t,ok:!1,text:e})}async closed(e){if(this.socket=null,this.failAll("connection lost"),await this.refused()){this.handlers.state("refused",e);return}this.handlers.state("lost",e),setTimeout(()=>this.open(),this.retry),this.retry=Math.min(this.retry*1.6,5e3)}async refused(){try{return(await fetch(`/?token=${encodeURIComponent(this.token)}`,{cache:"no-store"})).status===403}catch{return!1}}};function j(i,e={},...t){let n=document.createElement(i),{data:s,aria:r,...o}=e;Object.assign(n,o);for(let[a,l]of Object.entries(s??{}))n.dataset[a]=l;for(let[a,l]of Object.entries(r??{}))n.setAttribute(`aria-${a}`,l);for(let a of t)a!==null&&a!==!1&&n.append(a);return n}var PS={play:"M4 2.5v11l9-5.5z",pause:"M4 2.5h3v11H4zM9 2.5h3v11H9z",step:"M3 2.5v11l7-5.5zM11 2.5h2v11h-2z",restart:"M8 2.2a5.8 5.8 0 1 0 5.8 5.8h-1.8A4 4 0 1 1 8 4v2.6L12.2 3.3 8 0z",flag:"M3 1.5h1.6v1H13l-2.2 3L13 8.5H4.6v6H3z",hand:"M7.2 1h1.6v5.2l3.4-3.4 1 1-3.4 3.4H15v1.6H9.8l3.4 3.4-1 1-3.4-3.4V15H7.2V9.8l-3.4 3.4-1-1 3.4-3.4H1V7.2h5.2L2.8 3.8l1-1 3.4 3.4z",one:"M2 3h12v10H2zM3.5 4.5v7h9v-7z",two:"M2 3h12v10H2zM3.5 4.5v7h3.75v-7zM8.75 4.5v7h3.75v-7z",four:"M2 2h12v12H2zM3.5 3.5v3.75h3.75V3.5zM8.75 3.5v3.75h3.75V3.5zM3.5 8.75v3.75h3.75V8.75zM8.75 8.75v3.75h3.75V8.75z",layers:"M8 1.5 15 5 8 8.5 1 5zM2.6 7.6 8 10.3l5.4-2.7L15 8.4 8 12 1 8.4zM2.6 10.9 8 13.6l5.4-2.7 1.6.8L8 15.3 1 11.7z",plus:"M7.2 2.5h1.6v4.7h4.7v1.6H8.8v4.7H7.2V8.8H2.5V7.2h4.7z",cross:"M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",gravity:"M7.2 1.5h1.6v8.2l2.9-2.9 1.1 1.1L8 12.7 3.2 7.9l1.1-1.1 2.9 2.9zM2.5 13.4h11V15h-11z",help:"M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM7.2 10.6h1.6v1.6H7.2zM8 3.9c1.6 0 2.7 1 2.7 2.4 0 1.1-.6 1.7-1.2 2.2-.5.4-.7.6-.7 1.2H7.2c0-1.3.7-1.9 1.3-2.4.4-.3.6-.5.6-1 0-.6-.4-1-1.1-1s-1.1.5-1.1 1.2H5.3C5.3 4.900 6.400 3.900 8 3.900z",light:"M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.500v11a5.500 5.500 0 0 1 0-11z",panel:"M1.500 2.500h13v11h-13zM3 4v8h6.500V4zM11 4v8h2V4z",link:"M6.500 4.500h-2a3.500 3.500 0 0 0 0 7h2V10h-2a2 2 0 0 1 0-4h2zM9.500 4.500h2a3.500 3.500 0 0 1 0 7h-2V10h2a2 2 0 0 0 0-4h-2zM5.200 7.250h5.600v1.500H5.200z",target:"M7.250 1h1.500v2.060A5 5 0 0 1 12.940 7.250H15v1.500h-2.060a5 5 0 0 1-4.190 4.190V15h-1.500v-2.060a5 5 0 0 1-4.190-4.190H1v-1.500h2.060a5 5 0 0 1 4.190-4.190zM8 4.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z"};function lh(i){let e="http://www.w3.org/2000/svg",t=document.createElementNS(e,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("class","icon"),t.setAttribute("aria-hidden","true");let n=document.createElementNS(e,"path");return n.setAttribute("d",PS[i]),n.setAttribute("fill-rule","evenodd"),t.append(n),t}function Ft(i,e,t,n,s=""){let r=j("button",{type:"button",title:e,className:s,onclick:t});return r.setAttribute("aria-label",i||e),n&&r.append(lh(n)),i&&r.append(j("span",{},i)),r}function ws(i,e,t,n=""){let s=j("div",{className:`segmented ${n}`,role:"group"}),r=i.map(a=>{let l=j("button",{type:"button",title:a.title??a.label,data:{value:a.value}},a.label);return l.onclick=()=>{t(a.value),o()},s.append(l),l}),o=()=>{for(let a of r)a.setAttribute("aria-pressed",String(a.dataset.value===e()))};return o(),{element:s,update:o}}function ci(i){if(!Number.isFinite(i))return"–";if(i===0)return"0";let e=Math.abs(i);return e>=1e6||e<1e-4?i.toExponential(3):String(Number(i.toPrecision(5)))}function Es(i){if(!Number.isFinite(i))return"–";let e=i<0?"-":"",t=Math.abs(i);if(t<60)return`${e}${t.toFixed(2)} s`;let n=Math.floor(t),s=[Math.floor(n/60)%60,n%60].map(o=>String(o).padStart(2,"0")),r=Math.floor(n/3600);return`${e}${r>0?`${r}:`:""}${s.join(":")}.${String(Math.floor((t-n)*10))}`}var IS=[{title:"Robot",rows:[{key:"robot",label:"Bodies",hint:"The robot's visuals"},{key:"ornaments",label:"Ornaments",hint:"Things that are drawn only: no sensor and no contact sees them (violet, translucent)"},{key:"frames",label:"Frame axes",hint:"x red, y green, z blue of each body"},{key:"labels",label:"Names",hint:"The names of the bodies"},{key:"tethers",label:"Springs and tethers",hint:"Grey when slack, red under load"},{key:"com",label:"Centre of mass",hint:"Of the whole robot"}]},{title:"Contact",rows:[{key:"contacts",label:"Contacts and forces",hint:"Contact points with the force on the robot"},{key:"support",label:"Support polygon",hint:"Hull of the loaded contacts, seen from above"},{key:"pulls",label:"Pulls while placing",hint:"What draws the robot to the ground after it was dragged"},{key:"tracks",label:"Wheel tracks",hint:"Where the ground was touched"},{key:"path",label:"Driven path",hint:"The way of the base up to the moment shown"},{key:"plan",label:"Planned path",hint:"The motion being driven and the waypoints; the next one has a pole"}]},{title:"Ground",rows:[{key:"ruts",label:"Ruts",hint:"The deformed ground"},{key:"grid",label:"Grid",hint:"Lines every 1 m and 10 m"},{key:"contours",label:"Contour lines",hint:"Lines of equal height"},{key:"shadows",label:"Shadows",hint:"Of the sun"}]},{title:"Navigation and sensors",rows:[{key:"hazards",label:"Hazards",hint:"What the robot takes for dangerous ground: the redder, the worse"},{key:"goodness",label:"Goodness",hint:"How well the robot thinks it can drive there: green well, red not"},{key:"mapCost",label:"Mobility: cost",hint:"What a metre costs by the rover's mobility map, in the worst heading: green 1, red 5 or never"},{key:"mapSlip",label:"Mobility: slip",hint:"Slip by the rover's mobility map, in the worst heading: green 0, red 1"},{key:"mapEnergy",label:"Mobility: energy",hint:"Energy per metre by the rover's mobility map: red is the most of it"},{key:"mapRisk",label:"Mobility: risk",hint:"Risk by the rover's mobility map: red must not be entered"},{key:"lidar",label:"Lidar points",hint:"What the robot's lidars have seen: red near, blue far"},{key:"pictures",label:"Camera pictures",hint:"What the robot's cameras see, by ray tracing beside the run"},{key:"sights",label:"Camera frusta",hint:"What cameras see, and the border of it on the ground up to 30 m"}]}],xo=class{constructor(e){this.source=e;this.element.append(this.surface());for(let t of IS)this.element.append(j("h3",{},t.title),...t.rows.map(n=>this.row(n))),t.title==="Ground"&&this.element.append(this.rutColour())}source;element=j("div",{className:"layers"});updates=[];row(e){let t=j("input",{type:"checkbox",data:{layer:e.key}}),n=j("label",{className:"check"},t,e.label);return t.onchange=()=>{this.source.get()[e.key]=t.checked,this.source.changed()},this.updates.push(()=>{let s=this.source.missing(e.key);t.checked=this.source.get()[e.key],t.disabled=s!=="",n.classList.toggle("disabled",s!==""),n.title=s||e.hint}),n}surface(){let e=ws([{value:"natural",label:"Natural"},{value:"slope",label:"Slope",title:"Green: flat, red: 35 deg and more"},{value:"soil",label:"Soil",title:"One colour for each soil or material"},{value:"height",label:"Height",title:"Dark: low, bright: high"}],()=>this.source.get().surface,t=>{this.source.get().surface=t,this.source.changed()});return this.updates.push(()=>{e.update();for(let t of e.element.querySelectorAll("button")){let n=t.dataset.value??"",s=n==="soil"?this.source.missing("soil"):n==="natural"?"":this.source.missing("slope");t.disabled=s!=="",s&&(t.title=s)}}),j("div",{},j("h3",{},"Colour of the ground"),e.element)}rutColour(){let e=ws([{value:"natural",label:"Natural"},{value:"slip",label:"Slip",title:"Of the last wheel: blue skids, pale rolls, red spins"},{value:"sinkage",label:"Sinkage",title:"Dark: shallow, bright: deepest so far"}],()=>this.source.get().rutColour,n=>{this.source.get().rutColour=n,this.source.changed()}),t=j("div",{},j("p",{className:"hint"},"Colour of ruts"),e.element);return this.updates.push(()=>{e.update();let n=this.source.missing("slip");for(let s of e.element.querySelectorAll("button"))s.disabled=n!=="";t.title=n}),t}update(){for(let e of this.updates)e()}};var ch=class{element=j("div",{className:"notes",role:"status"});constructor(){this.element.setAttribute("aria-live","polite")}say(e,t=!1){if(!e)return;let n=j("div",{className:t?"note bad":"note"},e);for(this.element.append(n);this.element.children.length>4;)this.element.firstChild?.remove();setTimeout(()=>n.remove(),t?8e3:3500)}},hh=class{element=j("div",{className:"banner",hidden:!0,role:"alert"});show(e,t,n){this.element.hidden=!1,this.element.replaceChildren(j("b",{},e),j("span",{},t)),n&&this.element.append(Ft(n.label,n.label,n.run))}hide(){this.element.hidden=!0}},LS=[["Space","Pause or go on"],[".","One step"],["R","Restart"],["L","Back to the newest moment"],["← →","Earlier, later"],["+ −","Faster, slower"],["1 2 4","Number of viewports"],["O C P B F","Camera: orbit, chase, plan, on board, fixed"],["Home","Camera back to the robot"],["G","Grid"],["K","Contacts and forces"],["T","Wheel tracks"],["A","Frame axes"],["N","Names"],["M","Place the robot by dragging"],["/","Search a value to plot"],["V","Values: look and set"],["X","Panel on and off"],["D","Light or dark"],["?","This sheet"]],uh=class{element;constructor(){let e=LS.map(([t,n])=>j("div",{className:"key-row"},j("kbd",{},t),j("span",{},n)));this.element=j("dialog",{className:"help"},j("h2",{},"Keys and gestures"),j("div",{className:"key-grid"},...e),j("p",{className:"hint"},"Drag: turn. Shift or right button and drag: shift. Wheel: zoom. Double click: back to the robot. Click on a body: its values. In a plot: drag to zoom, double click for all, Ctrl and click to go to that moment.")),this.element.append(Ft("Close","Close",()=>this.element.close(),void 0,"primary"))}toggle(){this.element.open?this.element.close():this.element.showModal()}};var dh=class{constructor(e,t){this.stage=e;this.place=t}stage;place;active=!1;view=null;plane=new si;from=new k;base=new k;at=new k;delta=new k;rotation=new on;lift=0;yaw=0;start(e,t){if(!this.active)return!1;let n=this.stage()?.runOf(e.state.run),s=n?.robot.pick(t);return!n||!s?!1:(this.view=n,this.from.copy(s.point),this.base.fromArray(n.run.frame.position,0),this.plane.setFromNormalAndCoplanarPoint(new k(0,0,1),s.point),this.lift=this.yaw=0,this.delta.set(0,0,0),!0)}move(e,t){if(this.view){if(t!==0)this.lift+=t*.004*this.view.robot.size;else if(e.ray.intersectPlane(this.plane,this.at)){this.delta.set(this.at.x-this.from.x,this.at.y-this.from.y,0);let n=this.view.terrain.heightAt(this.base.x,this.base.y),s=this.view.terrain.heightAt(this.base.x+this.delta.x,this.base.y+this.delta.y);Number.isNaN(s-n)||(this.delta.z=s-n)}this.apply()}}turn(e){this.yaw+=e,this.apply()}apply(){if(!this.view)return;this.rotation.setFromAxisAngle(new k(0,0,1),this.yaw);let e=this.view.shift.makeRotationFromQuaternion(this.rotation),t=this.base.clone().applyQuaternion(this.rotation);e.setPosition(this.base.x-t.x+this.delta.x,this.base.y-t.y+this.delta.y,this.delta.z+this.lift),this.view.shifted=!0,this.stage()?.touch()}end(){let e=this.view;if(!e||(this.view=null,!e.shifted))return;let t=this.base.clone().applyMatrix4(e.shift),n=this.rotation.clone().multiply(new on().fromArray(e.run.frame.quaternion,0));e.shifted=!1,this.place(e.run.index,[t.x,t.y,t.z],[n.w,n.x,n.y,n.z],this.lift===0)}};var NS="uplot",DS="u-hz",US="u-vt",FS="u-title",OS="u-wrap",kS="u-under",BS="u-over",zS="u-axis",vr="u-off",HS="u-select",VS="u-cursor-x",GS="u-cursor-y",WS="u-cursor-pt",XS="u-legend",qS="u-live",YS="u-inline",$S="u-series",ZS="u-marker",xg="u-label",JS="u-value",qa="width",Ya="height";var yg="bottom",yo="left",Gd="right",af="#000",_g=af+"0",Wd="mousemove",bg="mousedown",Xd="mouseup",Mg="mouseenter",Sg="mouseleave",wg="dblclick",KS="resize",jS="scroll",Eg="change",vh="dppxchange",lf="--",To=typeof window<"u",Jd=To?document:null,bo=To?window:null,QS=To?navigator:null,Rt,fh;function Kd(){let i=devicePixelRatio;Rt!=i&&(Rt=i,fh&&Qd(Eg,fh,Kd),fh=matchMedia(`(min-resolution: ${Rt-.001}dppx) and (max-resolution: ${Rt+.001}dppx)`),xr(Eg,fh,Kd),bo.dispatchEvent(new CustomEvent(vh)))}function hi(i,e){if(e!=null){let t=i.classList;!t.contains(e)&&t.add(e)}}function jd(i,e){let t=i.classList;t.contains(e)&&t.remove(e)}function qt(i,e,t){i.style[e]=t+"px"}function Bi(i,e,t,n){let s=Jd.createElement(i);return e!=null&&hi(s,e),t?.insertBefore(s,n),s}function bi(i,e){return Bi("div",i,e)}var Tg=new WeakMap;function ss(i,e,t,n,s){let r="translate("+e+"px,"+t+"px)",o=Tg.get(i);r!=o&&(i.style.transform=r,Tg.set(i,r),e<0||t<0||e>n||t>s?hi(i,vr):jd(i,vr))}var Ag=new WeakMap;function Rg(i,e,t){let n=e+t,s=Ag.get(i);n!=s&&(Ag.set(i,n),i.style.background=e,i.style.borderColor=t)}var Cg=new WeakMap;function Pg(i,e,t,n){let s=e+""+t,r=Cg.get(i);s!=r&&(Cg.set(i,s),i.style.height=t+"px",i.style.width=e+"px",i.style.marginLeft=n?-e/2+"px":0,i.style.marginTop=n?-t/2+"px":0)}var cf={passive:!0},ew={...cf,capture:!0};function xr(i,e,t,n){e.addEventListener(i,t,n?ew:cf)}function Qd(i,e,t,n){e.removeEventListener(i,t,cf)}To&&Kd();function zi(i,e,t,n){let s;t=t||0,n=n||e.length-1;let r=n<=2147483647;for(;n-t>1;)s=r?t+n>>1:ui((t+n)/2),e[s]<i?t=s:n=s;return i-e[t]<=e[n]-i?t:n}function s0(i){return(t,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(t[a])){r=a;break}for(let a=s;a>=n;a--)if(i(t[a])){o=a;break}return[r,o]}}var r0=i=>i!=null,o0=i=>i!=null&&i>0,_h=s0(r0),tw=s0(o0);function nw(i,e,t,n=0,s=!1){let r=s?tw:_h,o=s?o0:r0;[e,t]=r(i,e,t);let a=i[e],l=i[e];if(e>-1)if(n==1)a=i[e],l=i[t];else if(n==-1)a=i[t],l=i[e];else for(let c=e;c<=t;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??kt,l??-kt]}function bh(i,e,t,n){let s=Ng(i),r=Ng(e);i==e&&(s==-1?(i*=t,e/=t):(i/=t,e*=t));let o=t==10?Ts:a0,a=s==1?ui:Mi,l=r==1?Mi:ui,c=a(o(Mn(i))),h=l(o(Mn(e))),u=Mo(t,c),d=Mo(t,h);return t==10&&(c<0&&(u=Bt(u,-c)),h<0&&(d=Bt(d,-h))),n||t==2?(i=u*s,e=d*r):(i=u0(i,u),e=Mh(e,d)),[i,e]}function hf(i,e,t,n){let s=bh(i,e,t,n);return i==0&&(s[0]=0),e==0&&(s[1]=0),s}var uf=.1,Ig={mode:3,pad:uf},Za={pad:0,soft:null,mode:0},iw={min:Za,max:Za};function xh(i,e,t,n){return Sh(t)?Lg(i,e,t):(Za.pad=t,Za.soft=n?0:null,Za.mode=n?3:0,Lg(i,e,iw))}function wt(i,e){return i??e}function sw(i,e,t){for(e=wt(e,0),t=wt(t,i.length-1);e<=t;){if(i[e]!=null)return!0;e++}return!1}function Lg(i,e,t){let n=t.min,s=t.max,r=wt(n.pad,0),o=wt(s.pad,0),a=wt(n.hard,-kt),l=wt(s.hard,kt),c=wt(n.soft,kt),h=wt(s.soft,-kt),u=wt(n.mode,0),d=wt(s.mode,0),f=e-i,g=Ts(f),y=Yn(Mn(i),Mn(e)),m=Ts(y),p=Mn(m-g);(f<1e-24||p>10)&&(f=0,(i==0||e==0)&&(f=1e-24,u==2&&c!=kt&&(r=0),d==2&&h!=-kt&&(o=0)));let _=f||y||1e3,A=Ts(_),M=Mo(10,ui(A)),C=_*(f==0?i==0?.1:1:r),T=Bt(u0(i-C,M/10),24),x=i>=c&&(u==1||u==3&&T<=c||u==2&&T>=c)?c:kt,E=Yn(a,T<x&&i>=x?x:Hi(x,T)),O=_*(f==0?e==0?.1:1:o),I=Bt(Mh(e+O,M/10),24),L=e<=h&&(d==1||d==3&&I>=h||d==2&&I<=h)?h:-kt,z=Hi(l,I>L&&e<=L?L:Yn(L,I));return E==z&&E==0&&(z=100),[E,z]}var rw=new Intl.NumberFormat(To?QS.language:"en-US"),df=i=>rw.format(i),di=Math,gh=di.PI,Mn=di.abs,ui=di.floor,bn=di.round,Mi=di.ceil,Hi=di.min,Yn=di.max,Mo=di.pow,Ng=di.sign,Ts=di.log10,a0=di.log2,ow=(i,e=1)=>di.sinh(i)*e,qd=(i,e=1)=>di.asinh(i/e),kt=1/0;function Dg(i){return(Ts((i^i>>31)-(i>>31))|0)+1}function ef(i,e,t){return Hi(Yn(i,e),t)}function l0(i){return typeof i=="function"}function _t(i){return l0(i)?i:()=>i}var aw=()=>{},c0=i=>i,h0=(i,e)=>e,lw=i=>null,Ug=i=>!0,Fg=(i,e)=>i==e,cw=/\.\d*?(?=9{6,}|0{6,})/gm,yr=i=>{if(f0(i)||Js.has(i))return i;let e=`${i}`,t=e.match(cw);if(t==null)return i;let n=t[0].length-1;if(e.indexOf("e-")!=-1){let[s,r]=e.split("e");return+`${yr(s)}e${r}`}return Bt(i,n)};function mr(i,e){return yr(Bt(yr(i/e))*e)}function Mh(i,e){return yr(Mi(yr(i/e))*e)}function u0(i,e){return yr(ui(yr(i/e))*e)}function Bt(i,e=0){if(f0(i))return i;let t=10**e,n=i*t*(1+Number.EPSILON);return bn(n)/t}var Js=new Map;function d0(i){return((""+i).split(".")[1]||"").length}function Ka(i,e,t,n){let s=[],r=n.map(d0);for(let o=e;o<t;o++){let a=Mn(o),l=Bt(Mo(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),d=i==10?h:Bt(h,u);s.push(d),Js.set(d,u)}}return s}var Ja={},ff=[],So=[null,null],Zs=Array.isArray,f0=Number.isInteger,hw=i=>i===void 0;function Og(i){return typeof i=="string"}function Sh(i){let e=!1;if(i!=null){let t=i.constructor;e=t==null||t==Object}return e}function uw(i){return i!=null&&typeof i=="object"}var dw=Object.getPrototypeOf(Uint8Array),p0="__proto__";function wo(i,e=Sh){let t;if(Zs(i)){let n=i.find(s=>s!=null);if(Zs(n)||e(n)){t=Array(i.length);for(let s=0;s<i.length;s++)t[s]=wo(i[s],e)}else t=i.slice()}else if(i instanceof dw)t=i.slice();else if(e(i)){t={};for(let n in i)n!=p0&&(t[n]=wo(i[n],e))}else t=i;return t}function gn(i){let e=arguments;for(let t=1;t<e.length;t++){let n=e[t];for(let s in n)s!=p0&&(Sh(i[s])?gn(i[s],wo(n[s])):i[s]=wo(n[s]))}return i}var fw=0,pw=1,mw=2;function gw(i,e,t){for(let n=0,s,r=-1;n<e.length;n++){let o=e[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<t&&i[s]==null;)i[r=s++]=null}}}function vw(i,e){if(_w(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return bw(o[0])||(o=yw(o)),o}let t=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)t.add(l[h])}let n=[Array.from(t).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(s).fill(void 0),d=e?e[o][c]:pw,f=[];for(let g=0;g<h.length;g++){let y=h[g],m=r.get(l[g]);y===null?d!=fw&&(u[m]=y,d==mw&&f.push(m)):u[m]=y}gw(u,f,s),n.push(u)}}return n}var xw=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function yw(i){let e=i[0],t=e.length,n=Array(t);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>e[r]-e[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(t);for(let l=0;l<t;l++)a[l]=o[n[l]];s.push(a)}return s}function _w(i){let e=i[0][0],t=e.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=t)return!1;if(s!=e){for(let r=0;r<t;r++)if(s[r]!=e[r])return!1}}return!0}function bw(i,e=100){let t=i.length;if(t<=1)return!0;let n=0,s=t-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=Yn(1,ui((s-n+1)/e));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var m0=["January","February","March","April","May","June","July","August","September","October","November","December"],g0=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function v0(i){return i.slice(0,3)}var Mw=g0.map(v0),Sw=m0.map(v0),ww={MMMM:m0,MMM:Sw,WWWW:g0,WWW:Mw};function Xa(i){return(i<10?"0":"")+i}function Ew(i){return(i<10?"00":i<100?"0":"")+i}var Tw={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,e)=>e.MMMM[i.getMonth()],MMM:(i,e)=>e.MMM[i.getMonth()],MM:i=>Xa(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Xa(i.getDate()),D:i=>i.getDate(),WWWW:(i,e)=>e.WWWW[i.getDay()],WWW:(i,e)=>e.WWW[i.getDay()],HH:i=>Xa(i.getHours()),H:i=>i.getHours(),h:i=>{let e=i.getHours();return e==0?12:e>12?e-12:e},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Xa(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Xa(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>Ew(i.getMilliseconds())};function pf(i,e){e=e||ww;let t=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)t.push(s[0][0]=="{"?Tw[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<t.length;a++)o+=typeof t[a]=="string"?t[a]:t[a](r,e);return o}}var Aw=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Rw(i,e){let t;return e=="UTC"||e=="Etc/UTC"?t=new Date(+i+i.getTimezoneOffset()*6e4):e==Aw?t=i:(t=new Date(i.toLocaleString("en-US",{timeZone:e})),t.setMilliseconds(i.getMilliseconds())),t}var x0=i=>i%1==0,yh=[1,2,2.5,5],Cw=Ka(10,-32,0,yh),y0=Ka(10,0,32,yh),Pw=y0.filter(x0),gr=Cw.concat(y0),mf=`
`,_0="{YYYY}",kg=mf+_0,b0="{M}/{D}",$a=mf+b0,ph=$a+"/{YY}",M0="{aa}",Iw="{h}:{mm}",_o=Iw+M0,Bg=mf+_o,zg=":{ss}",Pt=null;function S0(i){let e=i*1e3,t=e*60,n=t*60,s=n*24,r=s*30,o=s*365,l=(i==1?Ka(10,0,3,yh).filter(x0):Ka(10,-3,0,yh)).concat([e,e*5,e*10,e*15,e*30,t,t*5,t*10,t*15,t*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,_0,Pt,Pt,Pt,Pt,Pt,Pt,1],[s*28,"{MMM}",kg,Pt,Pt,Pt,Pt,Pt,1],[s,b0,kg,Pt,Pt,Pt,Pt,Pt,1],[n,"{h}"+M0,ph,Pt,$a,Pt,Pt,Pt,1],[t,_o,ph,Pt,$a,Pt,Pt,Pt,1],[e,zg,ph+" "+_o,Pt,$a+" "+_o,Pt,Bg,Pt,1],[i,zg+".{fff}",ph+" "+_o,Pt,$a+" "+_o,Pt,Bg,Pt,1]];function h(u){return(d,f,g,y,m,p)=>{let _=[],A=m>=o,M=m>=r&&m<o,C=u(g),T=Bt(C*i,3),x=Yd(C.getFullYear(),A?0:C.getMonth(),M||A?1:C.getDate()),E=Bt(x*i,3);if(M||A){let O=M?m/r:0,I=A?m/o:0,L=T==E?T:Bt(Yd(x.getFullYear()+I,x.getMonth()+O,1)*i,3),z=new Date(bn(L/i)),H=z.getFullYear(),D=z.getMonth();for(let W=0;L<=y;W++){let Y=Yd(H+I*W,D+O*W,1),G=Y-u(Bt(Y*i,3));L=Bt((+Y+G)*i,3),L<=y&&_.push(L)}}else{let O=m>=s?s:m,I=ui(g)-ui(T),L=E+I+Mh(T-E,O);_.push(L);let z=u(L),H=z.getHours()+z.getMinutes()/t+z.getSeconds()/n,D=m/n,W=d.axes[f]._space,Y=p/W;for(;L=Bt(L+m,i==1?0:3),!(L>y);)if(D>1){let G=ui(Bt(H+D,6))%24,Q=u(L).getHours()-G;Q>1&&(Q=-1),L-=Q*n,H=(H+D)%24;let se=_[_.length-1];Bt((L-se)/m,3)*Y>=.7&&_.push(L)}else _.push(L)}return _}}return[l,c,h]}var[Lw,Nw,Dw]=S0(1),[Uw,Fw,Ow]=S0(.001);Ka(2,-53,53,[1]);function Hg(i,e){return i.map(t=>t.map((n,s)=>s==0||s==8||n==null?n:e(s==1||t[8]==0?n:t[1]+n)))}function Vg(i,e){return(t,n,s,r,o)=>{let a=e.find(g=>o>=g[0])||e[e.length-1],l,c,h,u,d,f;return n.map(g=>{let y=i(g),m=y.getFullYear(),p=y.getMonth(),_=y.getDate(),A=y.getHours(),M=y.getMinutes(),C=y.getSeconds(),T=m!=l&&a[2]||p!=c&&a[3]||_!=h&&a[4]||A!=u&&a[5]||M!=d&&a[6]||C!=f&&a[7]||a[1];return l=m,c=p,h=_,u=A,d=M,f=C,T(y)})}}function kw(i,e){let t=pf(e);return(n,s,r,o,a)=>s.map(l=>t(i(l)))}function Yd(i,e,t){return new Date(i,e,t)}function Gg(i,e){return e(i)}var Bw="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Wg(i,e){return(t,n,s,r)=>r==null?lf:e(i(n))}function zw(i,e){let t=i.series[e];return t.width?t.stroke(i,e):t.points.width?t.points.stroke(i,e):null}function Hw(i,e){return i.series[e].fill(i,e)}var Vw={show:!0,live:!0,isolate:!1,mount:aw,markers:{show:!0,width:2,stroke:zw,fill:Hw,dash:"solid"},idx:null,idxs:null,values:[]};function Gw(i,e){let t=i.cursor.points,n=bi(),s=t.size(i,e);qt(n,qa,s),qt(n,Ya,s);let r=s/-2;qt(n,"marginLeft",r),qt(n,"marginTop",r);let o=t.width(i,e,s);return o&&qt(n,"borderWidth",o),n}function Ww(i,e){let t=i.series[e].points;return t._fill||t._stroke}function Xw(i,e){let t=i.series[e].points;return t._stroke||t._fill}function qw(i,e){return i.series[e].points.size}var $d=[0,0];function Yw(i,e,t){return $d[0]=e,$d[1]=t,$d}function mh(i,e,t,n=!0){return s=>{s.button==0&&(!n||s.target==e)&&t(s)}}function Zd(i,e,t,n=!0){return s=>{(!n||s.target==e)&&t(s)}}var $w={show:!0,x:!0,y:!0,lock:!1,move:Yw,points:{one:!1,show:Gw,size:qw,width:0,stroke:Xw,fill:Ww},bind:{mousedown:mh,mouseup:mh,click:mh,dblclick:mh,mousemove:Zd,mouseleave:Zd,mouseenter:Zd},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,e)=>{e.stopPropagation(),e.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,e,t,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},w0={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},gf=gn({},w0,{filter:h0}),E0=gn({},gf,{size:10}),T0=gn({},w0,{show:!1}),vf='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',A0="bold "+vf,R0=1.5,Xg={show:!0,scale:"x",stroke:af,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:A0,side:2,grid:gf,ticks:E0,border:T0,font:vf,lineGap:R0,rotate:0},Zw="Value",Jw="Time",qg={show:!0,scale:"x",auto:!1,sorted:1,min:kt,max:-kt,idxs:[]};function Kw(i,e,t,n,s){return e.map(r=>r==null?"":df(r))}function jw(i,e,t,n,s,r,o){let a=[],l=Js.get(s)||0;t=o?t:Bt(Mh(t,s),l);for(let c=t;c<=n;c=Bt(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function tf(i,e,t,n,s,r,o){let a=[],l=i.scales[i.axes[e].scale].log,c=l==10?Ts:a0,h=ui(c(t));s=Mo(l,h),l==10&&(s=gr[zi(s,gr)]);let u=t,d=s*l;l==10&&(d=gr[zi(d,gr)]);do a.push(u),u=u+s,l==10&&!Js.has(u)&&(u=Bt(u,Js.get(s))),u>=d&&(s=u,d=s*l,l==10&&(d=gr[zi(d,gr)]));while(u<=n);return a}function Qw(i,e,t,n,s,r,o){let l=i.scales[i.axes[e].scale].asinh,c=n>l?tf(i,e,Yn(l,t),n,s):[l],h=n>=0&&t<=0?[0]:[];return(t<-l?tf(i,e,Yn(l,-n),-t,s):[l]).reverse().map(d=>-d).concat(h,c)}var C0=/./,eE=/[12357]/,tE=/[125]/,Yg=/1/,nf=(i,e,t,n)=>i.map((s,r)=>e==4&&s==0||r%n==0&&t.test(s.toExponential()[s<0?1:0])?s:null);function nE(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?C0:l(7,o)-h>=c?eE:l(5,o)-h>=c?tE:Yg;if(u==Yg){let d=Mn(l(1,o)-h);if(d<c)return nf(e.slice().reverse(),a.distr,u,Mi(c/d)).reverse()}return nf(e,a.distr,u,1)}function iE(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=r._space,l=i.valToPos,c=Mn(l(1,o)-l(2,o));return c<a?nf(e.slice().reverse(),3,C0,Mi(a/c)).reverse():e}function sE(i,e,t,n){return n==null?lf:e==null?"":df(e)}var $g={show:!0,scale:"y",stroke:af,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:A0,side:3,grid:gf,ticks:E0,border:T0,font:vf,lineGap:R0,rotate:0};function rE(i,e){let t=3+(i||1)*2;return Bt(t*e,3)}function oE(i,e){let{scale:t,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],t,!0),o=i.valToPos(s[n[1]],t,!0),a=Mn(o-r),l=i.series[e],c=a/(l.points.space*Rt);return n[1]-n[0]<=c}var Zg={scale:null,auto:!0,sorted:0,min:kt,max:-kt},P0=(i,e,t,n,s)=>s,Jg={show:!0,auto:!0,sorted:0,gaps:P0,alpha:1,facets:[gn({},Zg,{scale:"x"}),gn({},Zg,{scale:"y"})]},Kg={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:P0,alpha:1,points:{show:oE,filter:null},values:null,min:kt,max:-kt,idxs:[],path:null,clip:null};function aE(i,e,t,n,s){return t/10}var I0={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},lE=gn({},I0,{time:!1,ori:1}),jg={};function L0(i,e){let t=jg[i];return t||(t={key:i,plots:[],sub(n){t.plots.push(n)},unsub(n){t.plots=t.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<t.plots.length;h++)t.plots[h]!=s&&t.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(jg[i]=t)),t}var Eo=1,sf=2;function _r(i,e,t){let n=i.mode,s=i.series[e],r=n==2?i._data[e]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[e],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],d=a.left,f=a.top,g=a.width,y=a.height,m=i.valToPosH,p=i.valToPosV;return h.ori==0?t(s,l,c,h,u,m,p,d,f,g,y,Eh,Ao,Ah,D0,F0):t(s,l,c,h,u,p,m,f,d,y,g,Th,Ro,_f,U0,O0)}function xf(i,e){let t=0,n=0,s=wt(i.bands,ff);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==e?t=o.dir:o.series[1]==e&&(o.dir==1?n|=1:n|=2)}return[t,n==1?-1:n==2?1:n==3?2:0]}function cE(i,e,t,n,s){let r=i.mode,o=i.series[e],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function As(i,e,t,n,s,r){return _r(i,e,(o,a,l,c,h,u,d,f,g,y,m)=>{let p=o.pxRound,_=c.dir*(c.ori==0?1:-1),A=c.ori==0?Ao:Ro,M,C;_==1?(M=t,C=n):(M=n,C=t);let T=p(u(a[M],c,y,f)),x=p(d(l[M],h,m,g)),E=p(u(a[C],c,y,f)),O=p(d(r==1?h.max:h.min,h,m,g)),I=new Path2D(s);return A(I,E,O),A(I,T,O),A(I,T,x),I})}function wh(i,e,t,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=e==0?Ah:_f,l=t;for(let u=0;u<i.length;u++){let d=i[u];if(d[1]>d[0]){let f=d[0]-l;f>0&&a(o,l,n,f,n+r),l=d[1]}}let c=t+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function hE(i,e,t){let n=i[i.length-1];n&&n[0]==e?n[1]=t:i.push([e,t])}function yf(i,e,t,n,s,r,o){let a=[],l=i.length;for(let c=s==1?t:n;c>=t&&c<=n;c+=s)if(e[c]===null){let u=c,d=c;if(s==1)for(;++c<=n&&e[c]===null;)d=c;else for(;--c>=t&&e[c]===null;)d=c;let f=r(i[u]),g=d==u?f:r(i[d]),y=u-s;f=o<=0&&y>=0&&y<l?r(i[y]):f;let p=d+s;g=o>=0&&p>=0&&p<l?r(i[p]):g,g>=f&&a.push([f,g])}return a}function Qg(i){return i==0?c0:i==1?bn:e=>mr(e,i)}function N0(i){let e=i==0?Eh:Th,t=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=Hi(c,a/2,l/2),h=Hi(h,a/2,l/2),e(s,r+c,o),t(s,r+a,o,r+a,o+l,c),t(s,r+a,o+l,r,o+l,h),t(s,r,o+l,r,o,h),t(s,r,o,r+a,o,c),s.closePath())}}var Eh=(i,e,t)=>{i.moveTo(e,t)},Th=(i,e,t)=>{i.moveTo(t,e)},Ao=(i,e,t)=>{i.lineTo(e,t)},Ro=(i,e,t)=>{i.lineTo(t,e)},Ah=N0(0),_f=N0(1),D0=(i,e,t,n,s,r)=>{i.arc(e,t,n,s,r)},U0=(i,e,t,n,s,r)=>{i.arc(t,e,n,s,r)},F0=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(e,t,n,s,r,o)},O0=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(t,e,s,n,o,r)};function k0(i){return(e,t,n,s,r)=>_r(e,t,(o,a,l,c,h,u,d,f,g,y,m)=>{let{pxRound:p,points:_}=o,A,M;c.ori==0?(A=Eh,M=D0):(A=Th,M=U0);let C=Bt(_.width*Rt,3),T=(_.size-_.width)/2*Rt,x=Bt(T*2,3),E=new Path2D,O=new Path2D,{left:I,top:L,width:z,height:H}=e.bbox;Ah(O,I-x,L-x,z+x*2,H+x*2);let D=W=>{if(l[W]!=null){let Y=p(u(a[W],c,y,f)),G=p(d(l[W],h,m,g));A(E,Y+T,G),M(E,Y,G,T,0,gh*2)}};if(r)r.forEach(D);else for(let W=n;W<=s;W++)D(W);return{stroke:C>0?E:null,fill:E,clip:O,flags:Eo|sf}})}function B0(i){return(e,t,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(e,t,n),r!=s&&o!=s&&i(e,t,s),i(e,t,o))}}var uE=B0(Ao),dE=B0(Ro);function z0(i){let e=wt(i?.alignGaps,0);return(t,n,s,r)=>_r(t,n,(o,a,l,c,h,u,d,f,g,y,m)=>{[s,r]=_h(l,s,r);let p=o.pxRound,_=H=>p(u(H,c,y,f)),A=H=>p(d(H,h,m,g)),M,C;c.ori==0?(M=Ao,C=uE):(M=Ro,C=dE);let T=c.dir*(c.ori==0?1:-1),x={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Eo},E=x.stroke,O=!1;if(r-s>=y*4){let H=ue=>t.posToVal(ue,c.key,!0),D=null,W=null,Y,G,ce,J=_(a[T==1?s:r]),Q=_(a[s]),se=_(a[r]),de=H(T==1?Q+1:se-1);for(let ue=T==1?s:r;ue>=s&&ue<=r;ue+=T){let ee=a[ue],xe=(T==1?ee<de:ee>de)?J:_(ee),Ae=l[ue];xe==J?Ae!=null?(G=Ae,D==null?(M(E,xe,A(G)),Y=D=W=G):G<D?D=G:G>W&&(W=G)):Ae===null&&(O=!0):(D!=null&&C(E,J,A(D),A(W),A(Y),A(G)),Ae!=null?(G=Ae,M(E,xe,A(G)),D=W=Y=G):(D=W=null,Ae===null&&(O=!0)),J=xe,de=H(J+T))}D!=null&&D!=W&&ce!=J&&C(E,J,A(D),A(W),A(Y),A(G))}else for(let H=T==1?s:r;H>=s&&H<=r;H+=T){let D=l[H];D===null?O=!0:D!=null&&M(E,_(a[H]),A(D))}let[L,z]=xf(t,n);if(o.fill!=null||L!=0){let H=x.fill=new Path2D(E),D=o.fillTo(t,n,o.min,o.max,L),W=A(D),Y=_(a[s]),G=_(a[r]);T==-1&&([G,Y]=[Y,G]),M(H,G,W),M(H,Y,W)}if(!o.spanGaps){let H=[];O&&H.push(...yf(a,l,s,r,T,_,e)),x.gaps=H=o.gaps(t,n,s,r,H),x.clip=wh(H,c.ori,f,g,y,m)}return z!=0&&(x.band=z==2?[As(t,n,s,r,E,-1),As(t,n,s,r,E,1)]:As(t,n,s,r,E,z)),x})}function fE(i){let e=wt(i.align,1),t=wt(i.ascDesc,!1),n=wt(i.alignGaps,0),s=wt(i.extend,!1);return(r,o,a,l)=>_r(r,o,(c,h,u,d,f,g,y,m,p,_,A)=>{[a,l]=_h(u,a,l);let M=c.pxRound,{left:C,width:T}=r.bbox,x=Q=>M(g(Q,d,_,m)),E=Q=>M(y(Q,f,A,p)),O=d.ori==0?Ao:Ro,I={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Eo},L=I.stroke,z=d.dir*(d.ori==0?1:-1),H=E(u[z==1?a:l]),D=x(h[z==1?a:l]),W=D,Y=D;s&&e==-1&&(Y=C,O(L,Y,H)),O(L,D,H);for(let Q=z==1?a:l;Q>=a&&Q<=l;Q+=z){let se=u[Q];if(se==null)continue;let de=x(h[Q]),ue=E(se);e==1?O(L,de,H):O(L,W,ue),O(L,de,ue),H=ue,W=de}let G=W;s&&e==1&&(G=C+T,O(L,G,H));let[ce,J]=xf(r,o);if(c.fill!=null||ce!=0){let Q=I.fill=new Path2D(L),se=c.fillTo(r,o,c.min,c.max,ce),de=E(se);O(Q,G,de),O(Q,Y,de)}if(!c.spanGaps){let Q=[];Q.push(...yf(h,u,a,l,z,x,n));let se=c.width*Rt/2,de=t||e==1?se:-se,ue=t||e==-1?-se:se;Q.forEach(ee=>{ee[0]+=de,ee[1]+=ue}),I.gaps=Q=c.gaps(r,o,a,l,Q),I.clip=wh(Q,d.ori,m,p,_,A)}return J!=0&&(I.band=J==2?[As(r,o,a,l,L,-1),As(r,o,a,l,L,1)]:As(r,o,a,l,L,J)),I})}function e0(i,e,t,n,s,r,o=kt){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(e[l]!==void 0){if(a!=null){let h=Mn(i[l]-i[a]);h<c&&(c=h,o=Mn(t(i[l],n,s,r)-t(i[a],n,s,r)))}a=l}}return o}function pE(i){i=i||Ja;let e=wt(i.size,[.6,kt,1]),t=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=_t(s),o=1-e[0],a=wt(e[1],kt),l=wt(e[2],1),c=wt(i.disp,Ja),h=wt(i.each,f=>{}),{fill:u,stroke:d}=c;return(f,g,y,m)=>_r(f,g,(p,_,A,M,C,T,x,E,O,I,L)=>{let z=p.pxRound,H=t,D=n*Rt,W=a*Rt,Y=l*Rt,G,ce;M.ori==0?[G,ce]=r(f,g):[ce,G]=r(f,g);let J=M.dir*(M.ori==0?1:-1),Q=M.ori==0?Ah:_f,se=M.ori==0?h:(Ce,Ze,rt,Se,Ot,He,Ye)=>{h(Ce,Ze,rt,Ot,Se,Ye,He)},de=wt(f.bands,ff).find(Ce=>Ce.series[0]==g),ue=de!=null?de.dir:0,ee=p.fillTo(f,g,p.min,p.max,ue),me=z(x(ee,C,L,O)),xe,Ae,Me,Xe=I,st=z(p.width*Rt),Ve=!1,dt=null,ct=null,nt=null,Yt=null;u!=null&&(st==0||d!=null)&&(Ve=!0,dt=u.values(f,g,y,m),ct=new Map,new Set(dt).forEach(Ce=>{Ce!=null&&ct.set(Ce,new Path2D)}),st>0&&(nt=d.values(f,g,y,m),Yt=new Map,new Set(nt).forEach(Ce=>{Ce!=null&&Yt.set(Ce,new Path2D)})));let{x0:zt,size:ln}=c;if(zt!=null&&ln!=null){H=1,_=zt.values(f,g,y,m),zt.unit==2&&(_=_.map(rt=>f.posToVal(E+rt*I,M.key,!0)));let Ce=ln.values(f,g,y,m);ln.unit==2?Ae=Ce[0]*I:Ae=T(Ce[0],M,I,E)-T(0,M,I,E),Xe=e0(_,A,T,M,I,E,Xe),Me=Xe-Ae+D}else Xe=e0(_,A,T,M,I,E,Xe),Me=Xe*o+D,Ae=Xe-Me;Me<1&&(Me=0),st>=Ae/2&&(st=0),Me<5&&(z=c0);let Dt=Me>0,Sn=Xe-Me-(Dt?st:0);Ae=z(ef(Sn,Y,W)),xe=(H==0?Ae/2:H==J?0:Ae)-H*J*((H==0?D/2:0)+(Dt?st/2:0));let Mt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},vn=Ve?null:new Path2D,Kt=null;if(de!=null)Kt=f.data[de.series[1]];else{let{y0:Ce,y1:Ze}=c;Ce!=null&&Ze!=null&&(A=Ze.values(f,g,y,m),Kt=Ce.values(f,g,y,m))}let cn=G*Ae,F=ce*Ae;for(let Ce=J==1?y:m;Ce>=y&&Ce<=m;Ce+=J){let Ze=A[Ce];if(Ze==null)continue;if(Kt!=null){let X=Kt[Ce]??0;if(Ze-X==0)continue;me=x(X,C,L,O)}let rt=M.distr!=2||c!=null?_[Ce]:Ce,Se=T(rt,M,I,E),Ot=x(wt(Ze,ee),C,L,O),He=z(Se-xe),Ye=z(Yn(Ot,me)),R=z(Hi(Ot,me)),b=Ye-R;if(Ze!=null){let X=Ze<0?F:cn,he=Ze<0?cn:F;Ve?(st>0&&nt[Ce]!=null&&Q(Yt.get(nt[Ce]),He,R+ui(st/2),Ae,Yn(0,b-st),X,he),dt[Ce]!=null&&Q(ct.get(dt[Ce]),He,R+ui(st/2),Ae,Yn(0,b-st),X,he)):Q(vn,He,R+ui(st/2),Ae,Yn(0,b-st),X,he),se(f,g,Ce,He-st/2,R,Ae+st,b)}}return st>0?Mt.stroke=Ve?Yt:vn:Ve||(Mt._fill=p.width==0?p._fill:p._stroke??p._fill,Mt.width=0),Mt.fill=Ve?ct:vn,Mt})}function mE(i,e){let t=wt(e?.alignGaps,0);return(n,s,r,o)=>_r(n,s,(a,l,c,h,u,d,f,g,y,m,p)=>{[r,o]=_h(c,r,o);let _=a.pxRound,A=G=>_(d(G,h,m,g)),M=G=>_(f(G,u,p,y)),C,T,x;h.ori==0?(C=Eh,x=Ao,T=F0):(C=Th,x=Ro,T=O0);let E=h.dir*(h.ori==0?1:-1),O=A(l[E==1?r:o]),I=O,L=[],z=[];for(let G=E==1?r:o;G>=r&&G<=o;G+=E)if(c[G]!=null){let J=l[G],Q=A(J);L.push(I=Q),z.push(M(c[G]))}let H={stroke:i(L,z,C,x,T,_),fill:null,clip:null,band:null,gaps:null,flags:Eo},D=H.stroke,[W,Y]=xf(n,s);if(a.fill!=null||W!=0){let G=H.fill=new Path2D(D),ce=a.fillTo(n,s,a.min,a.max,W),J=M(ce);x(G,I,J),x(G,O,J)}if(!a.spanGaps){let G=[];G.push(...yf(l,c,r,o,E,A,t)),H.gaps=G=a.gaps(n,s,r,o,G),H.clip=wh(G,h.ori,g,y,m,p)}return Y!=0&&(H.band=Y==2?[As(n,s,r,o,D,-1),As(n,s,r,o,D,1)]:As(n,s,r,o,D,Y)),H})}function gE(i){return mE(vE,i)}function vE(i,e,t,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(t(a,i[0],e[0]),o==2)n(a,i[1],e[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let d=0;d<o-1;d++)h[d]=e[d+1]-e[d],u[d]=i[d+1]-i[d],c[d]=h[d]/u[d];l[0]=c[0];for(let d=1;d<o-1;d++)c[d]===0||c[d-1]===0||c[d-1]>0!=c[d]>0?l[d]=0:(l[d]=3*(u[d-1]+u[d])/((2*u[d]+u[d-1])/c[d-1]+(u[d]+2*u[d-1])/c[d]),isFinite(l[d])||(l[d]=0));l[o-1]=c[o-2];for(let d=0;d<o-1;d++)s(a,i[d]+u[d]/3,e[d]+l[d]*u[d]/3,i[d+1]-u[d]/3,e[d+1]-l[d+1]*u[d]/3,i[d+1],e[d+1])}return a}var rf=new Set;function t0(){for(let i of rf)i.syncRect(!0)}To&&(xr(KS,bo,t0),xr(jS,bo,t0,!0),xr(vh,bo,()=>{Dn.pxRatio=Rt}));var xE=z0(),yE=k0();function n0(i,e,t,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>of(r,o,e,t))}function _E(i,e){return i.map((t,n)=>n==0?{}:gn({},e,t))}function of(i,e,t,n){return gn({},e==0?t:n,i)}function H0(i,e,t){return e==null?So:[e,t]}var bE=H0;function ME(i,e,t){return e==null?So:xh(e,t,uf,!0)}function V0(i,e,t,n){return e==null?So:bh(e,t,i.scales[n].log,!1)}var SE=V0;function G0(i,e,t,n){return e==null?So:hf(e,t,i.scales[n].log,!1)}var wE=G0;function EE(i,e,t,n,s){let r=Yn(Dg(i),Dg(e)),o=e-i,a=zi(s/n*o,t);do{let l=t[a],c=n*l/o;if(c>=s&&r+(l<5?Js.get(l):0)<=17)return[l,c]}while(++a<t.length);return[0,0]}function i0(i){let e,t;return i=i.replace(/(\d+)px/,(n,s)=>(e=bn((t=+s)*Rt))+"px"),[i,e,t]}function TE(i){i.show&&[i.font,i.labelFont].forEach(e=>{let t=Bt(e[2]*Rt,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function Dn(i,e,t){let n={mode:wt(i.mode,1)},s=n.mode;function r(v,S,P,N){let V=S.valToPct(v);return N+P*(S.dir==-1?1-V:V)}function o(v,S,P,N){let V=S.valToPct(v);return N+P*(S.dir==-1?V:1-V)}function a(v,S,P,N){return S.ori==0?r(v,S,P,N):o(v,S,P,N)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=bi(NS);if(i.id!=null&&(c.id=i.id),hi(c,i.class),i.title){let v=bi(FS,c);v.textContent=i.title}let h=Bi("canvas"),u=n.ctx=h.getContext("2d"),d=bi(OS,c);xr("click",d,v=>{v.target===g&&(Vt!=Rr||$t!=Cr)&&In.click(n,v)},!0);let f=n.under=bi(kS,d);d.appendChild(h);let g=n.over=bi(BS,d);i=wo(i);let y=+wt(i.pxAlign,1),m=Qg(y);(i.plugins||[]).forEach(v=>{v.opts&&(i=v.opts(n,i)||i)});let p=i.ms||.001,_=n.series=s==1?n0(i.series||[],qg,Kg,!1):_E(i.series||[null],Jg),A=n.axes=n0(i.axes||[],Xg,$g,!0),M=n.scales={},C=n.bands=i.bands||[];C.forEach(v=>{v.fill=_t(v.fill||null),v.dir=wt(v.dir,-1)});let T=s==2?_[1].facets[0].scale:_[0].scale,x={axes:cs,series:pt},E=(i.drawOrder||["axes","series"]).map(v=>x[v]);function O(v){let S=v.distr==3?P=>Ts(P>0?P:v.clamp(n,P,v.min,v.max,v.key)):v.distr==4?P=>qd(P,v.asinh):v.distr==100?P=>v.fwd(P):P=>P;return P=>{let N=S(P),{_min:V,_max:Z}=v,ae=Z-V;return(N-V)/ae}}function I(v){let S=M[v];if(S==null){let P=(i.scales||Ja)[v]||Ja;if(P.from!=null){I(P.from);let N=gn({},M[P.from],P,{key:v});N.valToPct=O(N),M[v]=N}else{S=M[v]=gn({},v==T?I0:lE,P),S.key=v;let N=S.time,V=S.range,Z=Zs(V);if((v!=T||s==2&&!N)&&(Z&&(V[0]==null||V[1]==null)&&(V={min:V[0]==null?Ig:{mode:1,hard:V[0],soft:V[0]},max:V[1]==null?Ig:{mode:1,hard:V[1],soft:V[1]}},Z=!1),!Z&&Sh(V))){let ae=V;V=(fe,_e,Ne)=>_e==null?So:xh(_e,Ne,ae)}S.range=_t(V||(N?bE:v==T?S.distr==3?SE:S.distr==4?wE:H0:S.distr==3?V0:S.distr==4?G0:ME)),S.auto=_t(Z?!1:S.auto),S.clamp=_t(S.clamp||aE),S._min=S._max=null,S.valToPct=O(S)}}}I("x"),I("y"),s==1&&_.forEach(v=>{I(v.scale)}),A.forEach(v=>{I(v.scale)});for(let v in i.scales)I(v);let L=M[T],z=L.distr,H,D;L.ori==0?(hi(c,DS),H=r,D=o):(hi(c,US),H=o,D=r);let W={};for(let v in M){let S=M[v];(S.min!=null||S.max!=null)&&(W[v]={min:S.min,max:S.max},S.min=S.max=null)}let Y=i.tzDate||(v=>new Date(bn(v/p))),G=i.fmtDate||pf,ce=p==1?Dw(Y):Ow(Y),J=Vg(Y,Hg(p==1?Nw:Fw,G)),Q=Wg(Y,Gg(Bw,G)),se=[],de=n.legend=gn({},Vw,i.legend),ue=n.cursor=gn({},$w,{drag:{y:s==2}},i.cursor),ee=de.show,me=ue.show,xe=de.markers;de.idxs=se,xe.width=_t(xe.width),xe.dash=_t(xe.dash),xe.stroke=_t(xe.stroke),xe.fill=_t(xe.fill);let Ae,Me,Xe,st=[],Ve=[],dt,ct=!1,nt={};if(de.live){let v=_[1]?_[1].values:null;ct=v!=null,dt=ct?v(n,1,0):{_:0};for(let S in dt)nt[S]=lf}if(ee)if(Ae=Bi("table",XS,c),Xe=Bi("tbody",null,Ae),de.mount(n,Ae),ct){Me=Bi("thead",null,Ae,Xe);let v=Bi("tr",null,Me);Bi("th",null,v);for(var Yt in dt)Bi("th",xg,v).textContent=Yt}else hi(Ae,YS),de.live&&hi(Ae,qS);let zt={show:!0},ln={show:!1};function Dt(v,S){if(S==0&&(ct||!de.live||s==2))return So;let P=[],N=Bi("tr",$S,Xe,Xe.childNodes[S]);hi(N,v.class),v.show||hi(N,vr);let V=Bi("th",null,N);if(xe.show){let fe=bi(ZS,V);if(S>0){let _e=xe.width(n,S);_e&&(fe.style.border=_e+"px "+xe.dash(n,S)+" "+xe.stroke(n,S)),fe.style.background=xe.fill(n,S)}}let Z=bi(xg,V);v.label instanceof HTMLElement?Z.appendChild(v.label):Z.textContent=v.label,S>0&&(xe.show||(Z.style.color=v.width>0?xe.stroke(n,S):xe.fill(n,S)),Mt("click",V,fe=>{if(ue._lock)return;je(fe);let _e=_.indexOf(v);if((fe.ctrlKey||fe.metaKey)!=de.isolate){let Ne=_.some((De,Fe)=>Fe>0&&Fe!=_e&&De.show);_.forEach((De,Fe)=>{Fe>0&&qi(Fe,Ne?Fe==_e?zt:ln:zt,!0,fn.setSeries)})}else qi(_e,{show:!v.show},!0,fn.setSeries)},!1),Qe&&Mt(Mg,V,fe=>{ue._lock||(je(fe),qi(_.indexOf(v),Ir,!0,fn.setSeries))},!1));for(var ae in dt){let fe=Bi("td",JS,N);fe.textContent="--",P.push(fe)}return[N,P]}let Sn=new Map;function Mt(v,S,P,N=!0){let V=Sn.get(S)||{},Z=ue.bind[v](n,S,P,N);Z&&(xr(v,S,V[v]=Z),Sn.set(S,V))}function vn(v,S,P){let N=Sn.get(S)||{};for(let V in N)(v==null||V==v)&&(Qd(V,S,N[V]),delete N[V]);v==null&&Sn.delete(S)}let Kt=0,cn=0,F=0,Ce=0,Ze=0,rt=0,Se=Ze,Ot=rt,He=F,Ye=Ce,R=0,b=0,X=0,he=0;n.bbox={};let oe=!1,ve=!1,ye=!1,te=!1,ie=!1,pe=!1;function U(v,S,P){(P||v!=n.width||S!=n.height)&&re(v,S),ht(!1),ye=!0,ve=!0,Un()}function re(v,S){n.width=Kt=F=v,n.height=cn=Ce=S,Ze=rt=0,be(),Ge();let P=n.bbox;R=P.left=mr(Ze*Rt,.5),b=P.top=mr(rt*Rt,.5),X=P.width=mr(F*Rt,.5),he=P.height=mr(Ce*Rt,.5)}let ne=3;function we(){let v=!1,S=0;for(;!v;){S++;let P=Er(S),N=Xi(S);v=S==ne||P&&N,v||(re(n.width,n.height),ve=!0)}}function ge({width:v,height:S}){U(v,S)}n.setSize=ge;function be(){let v=!1,S=!1,P=!1,N=!1;A.forEach((V,Z)=>{if(V.show&&V._show){let{side:ae,_size:fe}=V,_e=ae%2,Ne=V.label!=null?V.labelSize:0,De=fe+Ne;De>0&&(_e?(F-=De,ae==3?(Ze+=De,N=!0):P=!0):(Ce-=De,ae==0?(rt+=De,v=!0):S=!0))}}),Gi[0]=v,Gi[1]=P,Gi[2]=S,Gi[3]=N,F-=Ti[1]+Ti[3],Ze+=Ti[3],Ce-=Ti[2]+Ti[0],rt+=Ti[0]}function Ge(){let v=Ze+F,S=rt+Ce,P=Ze,N=rt;function V(Z,ae){switch(Z){case 1:return v+=ae,v-ae;case 2:return S+=ae,S-ae;case 3:return P-=ae,P+ae;case 0:return N-=ae,N+ae}}A.forEach((Z,ae)=>{if(Z.show&&Z._show){let fe=Z.side;Z._pos=V(fe,Z._size),Z.label!=null&&(Z._lpos=V(fe,Z.labelSize))}})}if(ue.dataIdx==null){let v=ue.hover,S=v.skip=new Set(v.skip??[]);S.add(void 0);let P=v.prox=_t(v.prox),N=v.bias??=0;ue.dataIdx=(V,Z,ae,fe)=>{if(Z==0)return ae;let _e=ae,Ne=P(V,Z,ae,fe)??kt,De=Ne>=0&&Ne<kt,Fe=L.ori==0?F:Ce,it=ue.left,Et=e[0],St=e[Z];if(S.has(St[ae])){_e=null;let mt=null,Je=null,qe;if(N==0||N==-1)for(qe=ae;mt==null&&qe-- >0;)S.has(St[qe])||(mt=qe);if(N==0||N==1)for(qe=ae;Je==null&&qe++<St.length;)S.has(St[qe])||(Je=qe);if(mt!=null||Je!=null)if(De){let Wt=mt==null?-1/0:H(Et[mt],L,Fe,0),en=Je==null?1/0:H(Et[Je],L,Fe,0),An=it-Wt,Ut=en-it;An<=Ut?An<=Ne&&(_e=mt):Ut<=Ne&&(_e=Je)}else _e=Je==null?mt:mt==null?Je:ae-mt<=Je-ae?mt:Je}else De&&Mn(it-H(Et[ae],L,Fe,0))>Ne&&(_e=null);return _e}}let je=v=>{ue.event=v};ue.idxs=se,ue._lock=!1;let le=ue.points;le.show=_t(le.show),le.size=_t(le.size),le.stroke=_t(le.stroke),le.width=_t(le.width),le.fill=_t(le.fill);let Oe=n.focus=gn({},i.focus||{alpha:.3},ue.focus),Qe=Oe.prox>=0,Re=Qe&&le.one,ot=[],Ht=[],Bn=[];function No(v,S){let P=le.show(n,S);if(P instanceof HTMLElement)return hi(P,WS),hi(P,v.class),ss(P,-10,-10,F,Ce),g.insertBefore(P,ot[S]),P}function Mr(v,S){if(s==1||S>0){let P=s==1&&M[v.scale].time,N=v.value;v.value=P?Og(N)?Wg(Y,Gg(N,G)):N||Q:N||sE,v.label=v.label||(P?Jw:Zw)}if(Re||S>0){v.width=v.width==null?1:v.width,v.paths=v.paths||xE||lw,v.fillTo=_t(v.fillTo||cE),v.pxAlign=+wt(v.pxAlign,y),v.pxRound=Qg(v.pxAlign),v.stroke=_t(v.stroke||null),v.fill=_t(v.fill||null),v._stroke=v._fill=v._paths=v._focus=null;let P=rE(Yn(1,v.width),1),N=v.points=gn({},{size:P,width:Yn(1,P*.2),stroke:v.stroke,space:P*2,paths:yE,_stroke:null,_fill:null},v.points);N.show=_t(N.show),N.filter=_t(N.filter),N.fill=_t(N.fill),N.stroke=_t(N.stroke),N.paths=_t(N.paths),N.pxAlign=v.pxAlign}if(ee){let P=Dt(v,S);st.splice(S,0,P[0]),Ve.splice(S,0,P[1]),de.values.push(null)}if(me){se.splice(S,0,null);let P=null;Re?S==0&&(P=No(v,S)):S>0&&(P=No(v,S)),ot.splice(S,0,P),Ht.splice(S,0,0),Bn.splice(S,0,0)}Tn("addSeries",S)}function fu(v,S){S=S??_.length,v=s==1?of(v,S,qg,Kg):of(v,S,{},Jg),_.splice(S,0,v),Mr(_[S],S)}n.addSeries=fu;function il(v){if(_.splice(v,1),ee){de.values.splice(v,1),Ve.splice(v,1);let S=st.splice(v,1)[0];vn(null,S.firstChild),S.remove()}me&&(se.splice(v,1),ot.splice(v,1)[0].remove(),Ht.splice(v,1),Bn.splice(v,1)),Tn("delSeries",v)}n.delSeries=il;let Gi=[!1,!1,!1,!1];function os(v,S){if(v._show=v.show,v.show){let P=v.side%2,N=M[v.scale];N==null&&(v.scale=P?_[1].scale:T,N=M[v.scale]);let V=N.time;v.size=_t(v.size),v.space=_t(v.space),v.rotate=_t(v.rotate),Zs(v.incrs)&&v.incrs.forEach(ae=>{!Js.has(ae)&&Js.set(ae,d0(ae))}),v.incrs=_t(v.incrs||(N.distr==2?Pw:V?p==1?Lw:Uw:gr)),v.splits=_t(v.splits||(V&&N.distr==1?ce:N.distr==3?tf:N.distr==4?Qw:jw)),v.stroke=_t(v.stroke),v.grid.stroke=_t(v.grid.stroke),v.ticks.stroke=_t(v.ticks.stroke),v.border.stroke=_t(v.border.stroke);let Z=v.values;v.values=Zs(Z)&&!Zs(Z[0])?_t(Z):V?Zs(Z)?Vg(Y,Hg(Z,G)):Og(Z)?kw(Y,Z):Z||J:Z||Kw,v.filter=_t(v.filter||(N.distr>=3&&N.log==10?nE:N.distr==3&&N.log==2?iE:h0)),v.font=i0(v.font),v.labelFont=i0(v.labelFont),v._size=v.size(n,null,S,0),v._space=v._rotate=v._incrs=v._found=v._splits=v._values=null,v._size>0&&(Gi[S]=!0,v._el=bi(zS,d))}}function as(v,S,P,N){let[V,Z,ae,fe]=P,_e=S%2,Ne=0;return _e==0&&(fe||Z)&&(Ne=S==0&&!V||S==2&&!ae?bn(Xg.size/3):0),_e==1&&(V||ae)&&(Ne=S==1&&!Z||S==3&&!fe?bn($g.size/2):0),Ne}let Do=n.padding=(i.padding||[as,as,as,as]).map(v=>_t(wt(v,as))),Ti=n._padding=Do.map((v,S)=>v(n,S,Gi,0)),jt,sn=null,rn=null,Wi=s==1?_[0].idxs:null,jn=null,Ps=!1;function Uo(v,S){if(e=v??[],n.data=n._data=e,s==2){jt=0;for(let P=1;P<_.length;P++)jt+=e[P][0].length}else{e.length==0&&(n.data=n._data=e=[[]]),jn=e[0],jt=jn.length;let P=e;if(z==2){P=e.slice();let N=P[0]=Array(jt);for(let V=0;V<jt;V++)N[V]=V}n._data=e=P}if(ht(!0),Tn("setData"),z==2&&(ye=!0),S!==!1){let P=L;P.auto(n,Ps)?Fo():Ns(T,P.min,P.max),te=te||ue.left>=0,pe=!0,Un()}}n.setData=Uo;function Fo(){Ps=!0;let v,S;s==1&&(jt>0?(sn=Wi[0]=0,rn=Wi[1]=jt-1,v=e[0][sn],S=e[0][rn],z==2?(v=sn,S=rn):v==S&&(z==3?[v,S]=bh(v,v,L.log,!1):z==4?[v,S]=hf(v,v,L.log,!1):L.time?S=v+bn(86400/p):[v,S]=xh(v,S,uf,!0))):(sn=Wi[0]=v=null,rn=Wi[1]=S=null)),Ns(T,v,S)}let Sr,Is,wr,w,B,K,q,$,Ee,Pe;function Te(v,S,P,N,V,Z){v??=_g,P??=ff,N??="butt",V??=_g,Z??="round",v!=Sr&&(u.strokeStyle=Sr=v),V!=Is&&(u.fillStyle=Is=V),S!=wr&&(u.lineWidth=wr=S),Z!=B&&(u.lineJoin=B=Z),N!=K&&(u.lineCap=K=N),P!=w&&u.setLineDash(w=P)}function Ie(v,S,P,N){S!=Is&&(u.fillStyle=Is=S),v!=q&&(u.font=q=v),P!=$&&(u.textAlign=$=P),N!=Ee&&(u.textBaseline=Ee=N)}function ze(v,S,P,N,V=0){if(N.length>0&&v.auto(n,Ps)&&(S==null||S.min==null)){let Z=wt(sn,0),ae=wt(rn,N.length-1),fe=P.min==null?nw(N,Z,ae,V,v.distr==3):[P.min,P.max];v.min=Hi(v.min,P.min=fe[0]),v.max=Yn(v.max,P.max=fe[1])}}let et={min:null,max:null};function ft(){for(let N in M){let V=M[N];W[N]==null&&(V.min==null||W[T]!=null&&V.auto(n,Ps))&&(W[N]=et)}for(let N in M){let V=M[N];W[N]==null&&V.from!=null&&W[V.from]!=null&&(W[N]=et)}W[T]!=null&&ht(!0);let v={};for(let N in W){let V=W[N];if(V!=null){let Z=v[N]=wo(M[N],uw);if(V.min!=null)gn(Z,V);else if(N!=T||s==2)if(jt==0&&Z.from==null){let ae=Z.range(n,null,null,N);Z.min=ae[0],Z.max=ae[1]}else Z.min=kt,Z.max=-kt}}if(jt>0){_.forEach((N,V)=>{if(s==1){let Z=N.scale,ae=W[Z];if(ae==null)return;let fe=v[Z];if(V==0){let _e=fe.range(n,fe.min,fe.max,Z);fe.min=_e[0],fe.max=_e[1],sn=zi(fe.min,e[0]),rn=zi(fe.max,e[0]),rn-sn>1&&(e[0][sn]<fe.min&&sn++,e[0][rn]>fe.max&&rn--),N.min=jn[sn],N.max=jn[rn]}else N.show&&N.auto&&ze(fe,ae,N,e[V],N.sorted);N.idxs[0]=sn,N.idxs[1]=rn}else if(V>0&&N.show&&N.auto){let[Z,ae]=N.facets,fe=Z.scale,_e=ae.scale,[Ne,De]=e[V],Fe=v[fe],it=v[_e];Fe!=null&&ze(Fe,W[fe],Z,Ne,Z.sorted),it!=null&&ze(it,W[_e],ae,De,ae.sorted),N.min=ae.min,N.max=ae.max}});for(let N in v){let V=v[N],Z=W[N];if(V.from==null&&(Z==null||Z.min==null)){let ae=V.range(n,V.min==kt?null:V.min,V.max==-kt?null:V.max,N);V.min=ae[0],V.max=ae[1]}}}for(let N in v){let V=v[N];if(V.from!=null){let Z=v[V.from];if(Z.min==null)V.min=V.max=null;else{let ae=V.range(n,Z.min,Z.max,N);V.min=ae[0],V.max=ae[1]}}}let S={},P=!1;for(let N in v){let V=v[N],Z=M[N];if(Z.min!=V.min||Z.max!=V.max){Z.min=V.min,Z.max=V.max;let ae=Z.distr;Z._min=ae==3?Ts(Z.min):ae==4?qd(Z.min,Z.asinh):ae==100?Z.fwd(Z.min):Z.min,Z._max=ae==3?Ts(Z.max):ae==4?qd(Z.max,Z.asinh):ae==100?Z.fwd(Z.max):Z.max,S[N]=P=!0}}if(P){_.forEach((N,V)=>{s==2?V>0&&S.y&&(N._paths=null):S[N.scale]&&(N._paths=null)});for(let N in S)ye=!0,Tn("setScale",N);me&&ue.left>=0&&(te=pe=!0)}for(let N in W)W[N]=null}function ke(v){let S=ef(sn-1,0,jt-1),P=ef(rn+1,0,jt-1);for(;v[S]==null&&S>0;)S--;for(;v[P]==null&&P<jt-1;)P++;return[S,P]}function pt(){if(jt>0){let v=_.some(S=>S._focus)&&Pe!=Oe.alpha;v&&(u.globalAlpha=Pe=Oe.alpha),_.forEach((S,P)=>{if(P>0&&S.show&&(Jt(P,!1),Jt(P,!0),S._paths==null)){let N=Pe;Pe!=S.alpha&&(u.globalAlpha=Pe=S.alpha);let V=s==2?[0,e[P][0].length-1]:ke(e[P]);S._paths=S.paths(n,P,V[0],V[1]),Pe!=N&&(u.globalAlpha=Pe=N)}}),_.forEach((S,P)=>{if(P>0&&S.show){let N=Pe;Pe!=S.alpha&&(u.globalAlpha=Pe=S.alpha),S._paths!=null&&It(P,!1);{let V=S._paths!=null?S._paths.gaps:null,Z=S.points.show(n,P,sn,rn,V),ae=S.points.filter(n,P,Z,V);(Z||ae)&&(S.points._paths=S.points.paths(n,P,sn,rn,ae),It(P,!0))}Pe!=N&&(u.globalAlpha=Pe=N),Tn("drawSeries",P)}}),v&&(u.globalAlpha=Pe=1)}}function Jt(v,S){let P=S?_[v].points:_[v];P._stroke=P.stroke(n,v),P._fill=P.fill(n,v)}function It(v,S){let P=S?_[v].points:_[v],{stroke:N,fill:V,clip:Z,flags:ae,_stroke:fe=P._stroke,_fill:_e=P._fill,_width:Ne=P.width}=P._paths;Ne=Bt(Ne*Rt,3);let De=null,Fe=Ne%2/2;S&&_e==null&&(_e=Ne>0?"#fff":fe);let it=P.pxAlign==1&&Fe>0;if(it&&u.translate(Fe,Fe),!S){let Et=R-Ne/2,St=b-Ne/2,mt=X+Ne,Je=he+Ne;De=new Path2D,De.rect(Et,St,mt,Je)}S?Ue(fe,Ne,P.dash,P.cap,_e,N,V,ae,Z):Lt(v,fe,Ne,P.dash,P.cap,_e,N,V,ae,De,Z),it&&u.translate(-Fe,-Fe)}function Lt(v,S,P,N,V,Z,ae,fe,_e,Ne,De){let Fe=!1;_e!=0&&C.forEach((it,Et)=>{if(it.series[0]==v){let St=_[it.series[1]],mt=e[it.series[1]],Je=(St._paths||Ja).band;Zs(Je)&&(Je=it.dir==1?Je[0]:Je[1]);let qe,Wt=null;St.show&&Je&&sw(mt,sn,rn)?(Wt=it.fill(n,Et)||Z,qe=St._paths.clip):Je=null,Ue(S,P,N,V,Wt,ae,fe,_e,Ne,De,qe,Je),Fe=!0}}),Fe||Ue(S,P,N,V,Z,ae,fe,_e,Ne,De)}let xn=Eo|sf;function Ue(v,S,P,N,V,Z,ae,fe,_e,Ne,De,Fe){Te(v,S,P,N,V),(_e||Ne||Fe)&&(u.save(),_e&&u.clip(_e),Ne&&u.clip(Ne)),Fe?(fe&xn)==xn?(u.clip(Fe),De&&u.clip(De),xt(V,ae),hn(v,Z,S)):fe&sf?(xt(V,ae),u.clip(Fe),hn(v,Z,S)):fe&Eo&&(u.save(),u.clip(Fe),De&&u.clip(De),xt(V,ae),u.restore(),hn(v,Z,S)):(xt(V,ae),hn(v,Z,S)),(_e||Ne||Fe)&&u.restore()}function hn(v,S,P){P>0&&(S instanceof Map?S.forEach((N,V)=>{u.strokeStyle=Sr=V,u.stroke(N)}):S!=null&&v&&u.stroke(S))}function xt(v,S){S instanceof Map?S.forEach((P,N)=>{u.fillStyle=Is=N,u.fill(P)}):S!=null&&v&&u.fill(S)}function ls(v,S,P,N){let V=A[v],Z;if(N<=0)Z=[0,0];else{let ae=V._space=V.space(n,v,S,P,N),fe=V._incrs=V.incrs(n,v,S,P,N,ae);Z=EE(S,P,fe,N,ae)}return V._found=Z}function un(v,S,P,N,V,Z,ae,fe,_e,Ne){let De=ae%2/2;y==1&&u.translate(De,De),Te(fe,ae,_e,Ne,fe),u.beginPath();let Fe,it,Et,St,mt=V+(N==0||N==3?-Z:Z);P==0?(it=V,St=mt):(Fe=V,Et=mt);for(let Je=0;Je<v.length;Je++)S[Je]!=null&&(P==0?Fe=Et=v[Je]:it=St=v[Je],u.moveTo(Fe,it),u.lineTo(Et,St));u.stroke(),y==1&&u.translate(-De,-De)}function Er(v){let S=!0;return A.forEach((P,N)=>{if(!P.show)return;let V=M[P.scale];if(V.min==null){P._show&&(S=!1,P._show=!1,ht(!1));return}else P._show||(S=!1,P._show=!0,ht(!1));let Z=P.side,ae=Z%2,{min:fe,max:_e}=V,[Ne,De]=ls(N,fe,_e,ae==0?F:Ce);if(De==0)return;let Fe=V.distr==2,it=P._splits=P.splits(n,N,fe,_e,Ne,De,Fe),Et=V.distr==2?it.map(qe=>jn[qe]):it,St=V.distr==2?jn[it[1]]-jn[it[0]]:Ne,mt=P._values=P.values(n,P.filter(n,Et,N,De,St),N,De,St);P._rotate=Z==2?P.rotate(n,mt,N,De):0;let Je=P._size;P._size=Mi(P.size(n,mt,N,v)),Je!=null&&P._size!=Je&&(S=!1)}),S}function Xi(v){let S=!0;return Do.forEach((P,N)=>{let V=P(n,N,Gi,v);V!=Ti[N]&&(S=!1),Ti[N]=V}),S}function cs(){for(let v=0;v<A.length;v++){let S=A[v];if(!S.show||!S._show)continue;let P=S.side,N=P%2,V,Z,ae=S.stroke(n,v),fe=P==0||P==3?-1:1,[_e,Ne]=S._found;if(S.label!=null){let Vn=S.labelGap*fe,ti=bn((S._lpos+Vn)*Rt);Ie(S.labelFont[0],ae,"center",P==2?"top":yg),u.save(),N==1?(V=Z=0,u.translate(ti,bn(b+he/2)),u.rotate((P==3?-gh:gh)/2)):(V=bn(R+X/2),Z=ti);let tr=l0(S.label)?S.label(n,v,_e,Ne):S.label;u.fillText(tr,V,Z),u.restore()}if(Ne==0)continue;let De=M[S.scale],Fe=N==0?X:he,it=N==0?R:b,Et=S._splits,St=De.distr==2?Et.map(Vn=>jn[Vn]):Et,mt=De.distr==2?jn[Et[1]]-jn[Et[0]]:_e,Je=S.ticks,qe=S.border,Wt=Je.show?Je.size:0,en=bn(Wt*Rt),An=bn((S.alignTo==2?S._size-Wt-S.gap:S.gap)*Rt),Ut=S._rotate*-gh/180,tn=m(S._pos*Rt),Qn=(en+An)*fe,Hn=tn+Qn;Z=N==0?Hn:0,V=N==1?Hn:0;let fi=S.font[0],Ai=S.align==1?yo:S.align==2?Gd:Ut>0?yo:Ut<0?Gd:N==0?"center":P==3?Gd:yo,$i=Ut||N==1?"middle":P==2?"top":yg;Ie(fi,ae,Ai,$i);let ei=S.font[1]*S.lineGap,pi=Et.map(Vn=>m(a(Vn,De,Fe,it))),Ri=S._values;for(let Vn=0;Vn<Ri.length;Vn++){let ti=Ri[Vn];if(ti!=null){N==0?V=pi[Vn]:Z=pi[Vn],ti=""+ti;let tr=ti.indexOf(`
`)==-1?[ti]:ti.split(/\n/gm);for(let Gn=0;Gn<tr.length;Gn++){let mp=tr[Gn];Ut?(u.save(),u.translate(V,Z+Gn*ei),u.rotate(Ut),u.fillText(mp,0,0),u.restore()):u.fillText(mp,V,Z+Gn*ei)}}}Je.show&&un(pi,Je.filter(n,St,v,Ne,mt),N,P,tn,en,Bt(Je.width*Rt,3),Je.stroke(n,v),Je.dash,Je.cap);let Zi=S.grid;Zi.show&&un(pi,Zi.filter(n,St,v,Ne,mt),N,N==0?2:1,N==0?b:R,N==0?he:X,Bt(Zi.width*Rt,3),Zi.stroke(n,v),Zi.dash,Zi.cap),qe.show&&un([tn],[1],N==0?1:0,N==0?1:2,N==1?b:R,N==1?he:X,Bt(qe.width*Rt,3),qe.stroke(n,v),qe.dash,qe.cap)}Tn("drawAxes")}function ht(v){_.forEach((S,P)=>{P>0&&(S._paths=null,v&&(s==1?(S.min=null,S.max=null):S.facets.forEach(N=>{N.min=null,N.max=null})))})}let Qt=!1,zn=!1,Nt=[];function dn(){zn=!1;for(let v=0;v<Nt.length;v++)Tn(...Nt[v]);Nt.length=0}function Un(){Qt||(xw(Kf),Qt=!0)}function sl(v,S=!1){Qt=!0,zn=S,v(n),Kf(),S&&Nt.length>0&&queueMicrotask(dn)}n.batch=sl;function Kf(){if(oe&&(ft(),oe=!1),ye&&(we(),ye=!1),ve){if(qt(f,yo,Ze),qt(f,"top",rt),qt(f,qa,F),qt(f,Ya,Ce),qt(g,yo,Ze),qt(g,"top",rt),qt(g,qa,F),qt(g,Ya,Ce),qt(d,qa,Kt),qt(d,Ya,cn),h.width=bn(Kt*Rt),h.height=bn(cn*Rt),A.forEach(({_el:v,_show:S,_size:P,_pos:N,side:V})=>{if(v!=null)if(S){let Z=V===3||V===0?P:0,ae=V%2==1;qt(v,ae?"left":"top",N-Z),qt(v,ae?"width":"height",P),qt(v,ae?"top":"left",ae?rt:Ze),qt(v,ae?"height":"width",ae?Ce:F),jd(v,vr)}else hi(v,vr)}),Sr=Is=wr=B=K=q=$=Ee=w=null,Pe=1,Bo(!0),Ze!=Se||rt!=Ot||F!=He||Ce!=Ye){ht(!1);let v=F/He,S=Ce/Ye;if(me&&!te&&ue.left>=0){ue.left*=v,ue.top*=S,Tr&&ss(Tr,bn(ue.left),0,F,Ce),Ar&&ss(Ar,0,bn(ue.top),F,Ce);for(let P=0;P<ot.length;P++){let N=ot[P];N!=null&&(Ht[P]*=v,Bn[P]*=S,ss(N,Mi(Ht[P]),Mi(Bn[P]),F,Ce))}}if(Gt.show&&!ie&&Gt.left>=0&&Gt.width>0){Gt.left*=v,Gt.width*=v,Gt.top*=S,Gt.height*=S;for(let P in yu)qt(Pr,P,Gt[P])}Se=Ze,Ot=rt,He=F,Ye=Ce}Tn("setSize"),ve=!1}Kt>0&&cn>0&&(u.clearRect(0,0,h.width,h.height),Tn("drawClear"),E.forEach(v=>v()),Tn("draw")),Gt.show&&ie&&(rl(Gt),ie=!1),me&&te&&(er(null,!0,!1),te=!1),de.show&&de.live&&pe&&(vu(),pe=!1),l||(l=!0,n.status=1,Tn("ready")),Ps=!1,Qt=!1}n.redraw=(v,S)=>{ye=S||!1,v!==!1?Ns(T,L.min,L.max):Un()};function pu(v,S){let P=M[v];if(P.from==null){if(jt==0){let N=P.range(n,S.min,S.max,v);S.min=N[0],S.max=N[1]}if(S.min>S.max){let N=S.min;S.min=S.max,S.max=N}if(jt>1&&S.min!=null&&S.max!=null&&S.max-S.min<1e-16)return;v==T&&P.distr==2&&jt>0&&(S.min=zi(S.min,e[0]),S.max=zi(S.max,e[0]),S.min==S.max&&S.max++),W[v]=S,oe=!0,Un()}}n.setScale=pu;let mu,gu,Tr,Ar,jf,Qf,Rr,Cr,ep,tp,Vt,$t,Ls=!1,In=ue.drag,wn=In.x,En=In.y;me&&(ue.x&&(mu=bi(VS,g)),ue.y&&(gu=bi(GS,g)),L.ori==0?(Tr=mu,Ar=gu):(Tr=gu,Ar=mu),Vt=ue.left,$t=ue.top);let Gt=n.select=gn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Pr=Gt.show?bi(HS,Gt.over?g:f):null;function rl(v,S){if(Gt.show){for(let P in v)Gt[P]=v[P],P in yu&&qt(Pr,P,v[P]);S!==!1&&Tn("setSelect")}}n.setSelect=rl;function Fv(v){if(_[v].show)ee&&jd(st[v],vr);else if(ee&&hi(st[v],vr),me){let P=Re?ot[0]:ot[v];P!=null&&ss(P,-10,-10,F,Ce)}}function Ns(v,S,P){pu(v,{min:S,max:P})}function qi(v,S,P,N){S.focus!=null&&Hv(v),S.show!=null&&_.forEach((V,Z)=>{Z>0&&(v==Z||v==null)&&(V.show=S.show,Fv(Z),s==2?(Ns(V.facets[0].scale,null,null),Ns(V.facets[1].scale,null,null)):Ns(V.scale,null,null),Un())}),P!==!1&&Tn("setSeries",v,S),N&&zo("setSeries",n,v,S)}n.setSeries=qi;function Ov(v,S){gn(C[v],S)}function kv(v,S){v.fill=_t(v.fill||null),v.dir=wt(v.dir,-1),S=S??C.length,C.splice(S,0,v)}function Bv(v){v==null?C.length=0:C.splice(v,1)}n.addBand=kv,n.setBand=Ov,n.delBand=Bv;function zv(v,S){_[v].alpha=S,me&&ot[v]!=null&&(ot[v].style.opacity=S),ee&&st[v]&&(st[v].style.opacity=S)}let hs,Ds,Qs,Ir={focus:!0};function Hv(v){if(v!=Qs){let S=v==null,P=Oe.alpha!=1;_.forEach((N,V)=>{if(s==1||V>0){let Z=S||V==0||V==v;N._focus=S?null:Z,P&&zv(V,Z?1:Oe.alpha)}}),Qs=v,P&&Un()}}ee&&Qe&&Mt(Sg,Ae,v=>{ue._lock||(je(v),Qs!=null&&qi(null,Ir,!0,fn.setSeries))});function Yi(v,S,P){let N=M[S];P&&(v=v/Rt-(N.ori==1?rt:Ze));let V=F;N.ori==1&&(V=Ce,v=V-v),N.dir==-1&&(v=V-v);let Z=N._min,ae=N._max,fe=v/V,_e=Z+(ae-Z)*fe,Ne=N.distr;return Ne==3?Mo(10,_e):Ne==4?ow(_e,N.asinh):Ne==100?N.bwd(_e):_e}function Vv(v,S){let P=Yi(v,T,S);return zi(P,e[0],sn,rn)}n.valToIdx=v=>zi(v,e[0]),n.posToIdx=Vv,n.posToVal=Yi,n.valToPos=(v,S,P)=>M[S].ori==0?r(v,M[S],P?X:F,P?R:0):o(v,M[S],P?he:Ce,P?b:0),n.setCursor=(v,S,P)=>{Vt=v.left,$t=v.top,er(null,S,P)};function np(v,S){qt(Pr,yo,Gt.left=v),qt(Pr,qa,Gt.width=S)}function ip(v,S){qt(Pr,"top",Gt.top=v),qt(Pr,Ya,Gt.height=S)}let Oo=L.ori==0?np:ip,ko=L.ori==1?np:ip;function Gv(){if(ee&&de.live)for(let v=s==2?1:0;v<_.length;v++){if(v==0&&ct)continue;let S=de.values[v],P=0;for(let N in S)Ve[v][P++].firstChild.nodeValue=S[N]}}function vu(v,S){if(v!=null&&(v.idxs?v.idxs.forEach((P,N)=>{se[N]=P}):hw(v.idx)||se.fill(v.idx),de.idx=se[0]),ee&&de.live){for(let P=0;P<_.length;P++)(P>0||s==1&&!ct)&&Wv(P,se[P]);Gv()}pe=!1,S!==!1&&Tn("setLegend")}n.setLegend=vu;function Wv(v,S){let P=_[v],N=v==0&&z==2?jn:e[v],V;ct?V=P.values(n,v,S)??nt:(V=P.value(n,S==null?null:N[S],v,S),V=V==null?nt:{_:V}),de.values[v]=V}function er(v,S,P){ep=Vt,tp=$t,[Vt,$t]=ue.move(n,Vt,$t),ue.left=Vt,ue.top=$t,me&&(Tr&&ss(Tr,bn(Vt),0,F,Ce),Ar&&ss(Ar,0,bn($t),F,Ce));let N,V=sn>rn;hs=kt,Ds=null;let Z=L.ori==0?F:Ce,ae=L.ori==1?F:Ce;if(Vt<0||jt==0||V){N=ue.idx=null;for(let fe=0;fe<_.length;fe++){let _e=ot[fe];_e!=null&&ss(_e,-10,-10,F,Ce)}Qe&&qi(null,Ir,!0,v==null&&fn.setSeries),de.live&&(se.fill(N),pe=!0)}else{let fe,_e,Ne;s==1&&(fe=L.ori==0?Vt:$t,_e=Yi(fe,T),N=ue.idx=zi(_e,e[0],sn,rn),Ne=H(e[0][N],L,Z,0));let De=-10,Fe=-10,it=0,Et=0,St=!0,mt="",Je="";for(let qe=s==2?1:0;qe<_.length;qe++){let Wt=_[qe],en=se[qe],An=en==null?null:s==1?e[qe][en]:e[qe][1][en],Ut=ue.dataIdx(n,qe,N,_e),tn=Ut==null?null:s==1?e[qe][Ut]:e[qe][1][Ut];if(pe=pe||tn!=An||Ut!=en,se[qe]=Ut,qe>0&&Wt.show){let Qn=Ut==null?-10:Ut==N?Ne:H(s==1?e[0][Ut]:e[qe][0][Ut],L,Z,0),Hn=tn==null?-10:D(tn,s==1?M[Wt.scale]:M[Wt.facets[1].scale],ae,0);if(Qe&&tn!=null){let fi=L.ori==1?Vt:$t,Ai=Mn(Oe.dist(n,qe,Ut,Hn,fi));if(Ai<hs){let $i=Oe.bias;if($i!=0){let ei=Yi(fi,Wt.scale),pi=tn>=0?1:-1,Ri=ei>=0?1:-1;Ri==pi&&(Ri==1?$i==1?tn>=ei:tn<=ei:$i==1?tn<=ei:tn>=ei)&&(hs=Ai,Ds=qe)}else hs=Ai,Ds=qe}}if(pe||Re){let fi,Ai;L.ori==0?(fi=Qn,Ai=Hn):(fi=Hn,Ai=Qn);let $i,ei,pi,Ri,Zi,Vn,ti=!0,tr=le.bbox;if(tr!=null){ti=!1;let Gn=tr(n,qe);pi=Gn.left,Ri=Gn.top,$i=Gn.width,ei=Gn.height}else pi=fi,Ri=Ai,$i=ei=le.size(n,qe);if(Vn=le.fill(n,qe),Zi=le.stroke(n,qe),Re)qe==Ds&&hs<=Oe.prox&&(De=pi,Fe=Ri,it=$i,Et=ei,St=ti,mt=Vn,Je=Zi);else{let Gn=ot[qe];Gn!=null&&(Ht[qe]=pi,Bn[qe]=Ri,Pg(Gn,$i,ei,ti),Rg(Gn,Vn,Zi),ss(Gn,Mi(pi),Mi(Ri),F,Ce))}}}}if(Re){let qe=Oe.prox,Wt=Qs==null?hs<=qe:hs>qe||Ds!=Qs;if(pe||Wt){let en=ot[0];en!=null&&(Ht[0]=De,Bn[0]=Fe,Pg(en,it,Et,St),Rg(en,mt,Je),ss(en,Mi(De),Mi(Fe),F,Ce))}}}if(Gt.show&&Ls)if(v!=null){let[fe,_e]=fn.scales,[Ne,De]=fn.match,[Fe,it]=v.cursor.sync.scales,Et=v.cursor.drag;if(wn=Et._x,En=Et._y,wn||En){let{left:St,top:mt,width:Je,height:qe}=v.select,Wt=v.scales[Fe].ori,en=v.posToVal,An,Ut,tn,Qn,Hn,fi=fe!=null&&Ne(fe,Fe),Ai=_e!=null&&De(_e,it);fi&&wn?(Wt==0?(An=St,Ut=Je):(An=mt,Ut=qe),tn=M[fe],Qn=H(en(An,Fe),tn,Z,0),Hn=H(en(An+Ut,Fe),tn,Z,0),Oo(Hi(Qn,Hn),Mn(Hn-Qn))):Oo(0,Z),Ai&&En?(Wt==1?(An=St,Ut=Je):(An=mt,Ut=qe),tn=M[_e],Qn=D(en(An,it),tn,ae,0),Hn=D(en(An+Ut,it),tn,ae,0),ko(Hi(Qn,Hn),Mn(Hn-Qn))):ko(0,ae)}else _u()}else{let fe=Mn(ep-jf),_e=Mn(tp-Qf);if(L.ori==1){let it=fe;fe=_e,_e=it}wn=In.x&&fe>=In.dist,En=In.y&&_e>=In.dist;let Ne=In.uni;Ne!=null?wn&&En&&(wn=fe>=Ne,En=_e>=Ne,!wn&&!En&&(_e>fe?En=!0:wn=!0)):In.x&&In.y&&(wn||En)&&(wn=En=!0);let De,Fe;wn&&(L.ori==0?(De=Rr,Fe=Vt):(De=Cr,Fe=$t),Oo(Hi(De,Fe),Mn(Fe-De)),En||ko(0,ae)),En&&(L.ori==1?(De=Rr,Fe=Vt):(De=Cr,Fe=$t),ko(Hi(De,Fe),Mn(Fe-De)),wn||Oo(0,Z)),!wn&&!En&&(Oo(0,0),ko(0,0))}if(In._x=wn,In._y=En,v==null){if(P){if(pp!=null){let[fe,_e]=fn.scales;fn.values[0]=fe!=null?Yi(L.ori==0?Vt:$t,fe):null,fn.values[1]=_e!=null?Yi(L.ori==1?Vt:$t,_e):null}zo(Wd,n,Vt,$t,F,Ce,N)}if(Qe){let fe=P&&fn.setSeries,_e=Oe.prox;Qs==null?hs<=_e&&qi(Ds,Ir,!0,fe):hs>_e?qi(null,Ir,!0,fe):Ds!=Qs&&qi(Ds,Ir,!0,fe)}}pe&&(de.idx=N,vu()),S!==!1&&Tn("setCursor")}let Us=null;Object.defineProperty(n,"rect",{get(){return Us==null&&Bo(!1),Us}});function Bo(v=!1){v?Us=null:(Us=g.getBoundingClientRect(),Tn("syncRect",Us))}function sp(v,S,P,N,V,Z,ae){ue._lock||Ls&&v!=null&&v.movementX==0&&v.movementY==0||(xu(v,S,P,N,V,Z,ae,!1,v!=null),v!=null?er(null,!0,!0):er(S,!0,!1))}function xu(v,S,P,N,V,Z,ae,fe,_e){if(Us==null&&Bo(!1),je(v),v!=null)P=v.clientX-Us.left,N=v.clientY-Us.top;else{if(P<0||N<0){Vt=-10,$t=-10;return}let[Ne,De]=fn.scales,Fe=S.cursor.sync,[it,Et]=Fe.values,[St,mt]=Fe.scales,[Je,qe]=fn.match,Wt=S.axes[0].side%2==1,en=L.ori==0?F:Ce,An=L.ori==1?F:Ce,Ut=Wt?Z:V,tn=Wt?V:Z,Qn=Wt?N:P,Hn=Wt?P:N;if(St!=null?P=Je(Ne,St)?a(it,M[Ne],en,0):-10:P=en*(Qn/Ut),mt!=null?N=qe(De,mt)?a(Et,M[De],An,0):-10:N=An*(Hn/tn),L.ori==1){let fi=P;P=N,N=fi}}_e&&(S==null||S.cursor.event.type==Wd)&&((P<=1||P>=F-1)&&(P=mr(P,F)),(N<=1||N>=Ce-1)&&(N=mr(N,Ce))),fe?(jf=P,Qf=N,[Rr,Cr]=ue.move(n,P,N)):(Vt=P,$t=N)}let yu={width:0,height:0,left:0,top:0};function _u(){rl(yu,!1)}let rp,op,ap,lp;function cp(v,S,P,N,V,Z,ae){Ls=!0,wn=En=In._x=In._y=!1,xu(v,S,P,N,V,Z,ae,!0,!1),v!=null&&(Mt(Xd,Jd,hp,!1),zo(bg,n,Rr,Cr,F,Ce,null));let{left:fe,top:_e,width:Ne,height:De}=Gt;rp=fe,op=_e,ap=Ne,lp=De}function hp(v,S,P,N,V,Z,ae){Ls=In._x=In._y=!1,xu(v,S,P,N,V,Z,ae,!1,!0);let{left:fe,top:_e,width:Ne,height:De}=Gt,Fe=Ne>0||De>0,it=rp!=fe||op!=_e||ap!=Ne||lp!=De;if(Fe&&it&&rl(Gt),In.setScale&&Fe&&it){let Et=fe,St=Ne,mt=_e,Je=De;if(L.ori==1&&(Et=_e,St=De,mt=fe,Je=Ne),wn&&Ns(T,Yi(Et,T),Yi(Et+St,T)),En)for(let qe in M){let Wt=M[qe];qe!=T&&Wt.from==null&&Wt.min!=kt&&Ns(qe,Yi(mt+Je,qe),Yi(mt,qe))}_u()}else ue.lock&&(ue._lock=!ue._lock,er(S,!0,v!=null));v!=null&&(vn(Xd,Jd),zo(Xd,n,Vt,$t,F,Ce,null))}function Xv(v,S,P,N,V,Z,ae){if(ue._lock)return;je(v);let fe=Ls;if(Ls){let _e=!0,Ne=!0,De=10,Fe,it;L.ori==0?(Fe=wn,it=En):(Fe=En,it=wn),Fe&&it&&(_e=Vt<=De||Vt>=F-De,Ne=$t<=De||$t>=Ce-De),Fe&&_e&&(Vt=Vt<Rr?0:F),it&&Ne&&($t=$t<Cr?0:Ce),er(null,!0,!0),Ls=!1}Vt=-10,$t=-10,se.fill(null),er(null,!0,!0),fe&&(Ls=fe)}function up(v,S,P,N,V,Z,ae){ue._lock||(je(v),Fo(),_u(),v!=null&&zo(wg,n,Vt,$t,F,Ce,null))}function dp(){A.forEach(TE),U(n.width,n.height,!0)}xr(vh,bo,dp);let Lr={};Lr.mousedown=cp,Lr.mousemove=sp,Lr.mouseup=hp,Lr.dblclick=up,Lr.setSeries=(v,S,P,N)=>{let V=fn.match[2];P=V(n,S,P),P!=-1&&qi(P,N,!0,!1)},me&&(Mt(bg,g,cp),Mt(Wd,g,sp),Mt(Mg,g,v=>{je(v),Bo(!1)}),Mt(Sg,g,Xv),Mt(wg,g,up),rf.add(n),n.syncRect=Bo);let ol=n.hooks=i.hooks||{};function Tn(v,S,P){zn?Nt.push([v,S,P]):v in ol&&ol[v].forEach(N=>{N.call(null,n,S,P)})}(i.plugins||[]).forEach(v=>{for(let S in v.hooks)ol[S]=(ol[S]||[]).concat(v.hooks[S])});let fp=(v,S,P)=>P,fn=gn({key:null,setSeries:!1,filters:{pub:Ug,sub:Ug},scales:[T,_[1]?_[1].scale:null],match:[Fg,Fg,fp],values:[null,null]},ue.sync);fn.match.length==2&&fn.match.push(fp),ue.sync=fn;let pp=fn.key,bu=L0(pp);function zo(v,S,P,N,V,Z,ae){fn.filters.pub(v,S,P,N,V,Z,ae)&&bu.pub(v,S,P,N,V,Z,ae)}bu.sub(n);function qv(v,S,P,N,V,Z,ae){fn.filters.sub(v,S,P,N,V,Z,ae)&&Lr[v](null,S,P,N,V,Z,ae)}n.pub=qv;function Yv(){bu.unsub(n),rf.delete(n),Sn.clear(),Qd(vh,bo,dp),c.remove(),Ae?.remove(),Tn("destroy")}n.destroy=Yv;function Mu(){Tn("init",i,e),Uo(e||i.data,!1),W[T]?pu(T,W[T]):Fo(),ie=Gt.show&&(Gt.width>0||Gt.height>0),te=pe=!0,U(i.width,i.height)}return _.forEach(Mr),A.forEach(os),t?t instanceof HTMLElement?(t.appendChild(c),Mu()):t(n,Mu):Mu(),n}Dn.assign=gn;Dn.fmtNum=df;Dn.rangeNum=xh;Dn.rangeLog=bh;Dn.rangeAsinh=hf;Dn.orient=_r;Dn.pxRatio=Rt;Dn.join=vw;Dn.fmtDate=pf,Dn.tzDate=Rw;Dn.sync=L0;{Dn.addGap=hE,Dn.clipGaps=wh;let i=Dn.paths={points:k0};i.linear=z0,i.stepped=fE,i.bars=pE,i.spline=gE}var Si=class extends Error{};function Ks(i,e,t){if(i!==e)throw new Si(`${t}: ${i} bytes, ${e} expected`)}function Vi(i,e,t){if(i<e)throw new Si(`${t}: ${i} bytes, at least ${e} expected`)}function Ih(i){return Vi(i.byteLength,4,"message"),{kind:i.getUint8(0),run:i.getUint8(1)}}var bf=24,W0=20,AE=24,RE=28,Ph=class{seq=0;time=Number.NaN;bodies=0;contacts=0;springs=0;pulls=!1;position=new Float32Array(0);quaternion=new Float32Array(0);contact=new Float32Array(0);spring=new Float32Array(0);decode(e){Vi(e.byteLength,bf,"frame");let t=e.getUint16(16,!0),n=e.getUint16(18,!0),s=e.getUint16(20,!0),r=bf+t*W0+n*AE+s*RE;Ks(e.byteLength,r,"frame"),this.seq=e.getUint32(4,!0),this.time=e.getFloat64(8,!0),this.pulls=(e.getUint16(22,!0)&1)!==0,this.reserve(t,n,s);let o=this.decodeBodies(e,bf);for(let a=0;a<n*6;a++,o+=4)this.contact[a]=e.getFloat32(o,!0);for(let a=0;a<s*7;a++,o+=4)this.spring[a]=e.getFloat32(o,!0)}reserve(e,t,n){this.position.length<e*3&&(this.position=new Float32Array(e*3),this.quaternion=new Float32Array(e*4)),this.contact.length<t*6&&(this.contact=new Float32Array(t*12)),this.spring.length<n*7&&(this.spring=new Float32Array(n*7)),this.bodies=e,this.contacts=t,this.springs=n}decodeBodies(e,t){let n=t;for(let s=0;s<this.bodies;s++,n+=W0){for(let u=0;u<3;u++)this.position[3*s+u]=e.getFloat32(n+4*u,!0);let r=e.getInt16(n+12,!0),o=e.getInt16(n+14,!0),a=e.getInt16(n+16,!0),l=e.getInt16(n+18,!0),c=Math.sqrt(r*r+o*o+a*a+l*l),h=c>0?1/c:0;this.quaternion[4*s]=o*h,this.quaternion[4*s+1]=a*h,this.quaternion[4*s+2]=l*h,this.quaternion[4*s+3]=c>0?r*h:1}return n}},Rh=44,CE=65535;function q0(i){Vi(i.byteLength,Rh,"terrain tile");let e=i.getUint16(16,!0),t=i.getUint16(18,!0);if(e<2||t<2)throw new Si(`terrain tile: ${e} x ${t} points, at least 2 x 2 expected`);Ks(i.byteLength,Rh+e*t*3,"terrain tile");let n=i.getFloat32(36,!0),s=i.getFloat32(40,!0),r=new Float32Array(e*t);for(let o=0;o<e*t;o++){let a=i.getUint16(Rh+2*o,!0);r[o]=a===CE?Number.NaN:n+s*a}return{level:i.getUint16(4,!0),tileX:i.getInt32(8,!0),tileY:i.getInt32(12,!0),nx:e,ny:t,x0:i.getFloat32(20,!0),y0:i.getFloat32(24,!0),dx:i.getFloat32(28,!0),dy:i.getFloat32(32,!0),height:r,material:new Uint8Array(i.buffer,i.byteOffset+Rh+2*e*t,e*t).slice()}}function Lh(i,e){Vi(i.byteLength,e+8,"mesh");let t=i.getUint32(e,!0),n=i.getUint32(e+4,!0);Ks(i.byteLength,e+8+t*12+n*12,"mesh");let s=new Float32Array(t*3),r=new Uint32Array(n*3),o=e+8;for(let a=0;a<t*3;a++,o+=4)s[a]=i.getFloat32(o,!0);for(let a=0;a<n*3;a++,o+=4){let l=i.getUint32(o,!0);if(l>=t)throw new Si(`mesh: index ${l} of ${t} points`);r[a]=l}return{position:s,index:r}}var Ch=20;function Y0(i){Vi(i.byteLength,Ch,"rut tile");let e=i.getUint16(16,!0),t=i.getUint16(18,!0);Ks(i.byteLength,Ch+e*t*3,"rut tile");let n=new Float32Array(e*t);for(let s=0;s<e*t;s++)n[s]=i.getInt16(Ch+2*s,!0)*1e-4;return{i:i.getInt32(4,!0),j:i.getInt32(8,!0),cell:i.getFloat32(12,!0),nx:e,ny:t,depth:n,slip:new Uint8Array(i.buffer,i.byteOffset+Ch+2*e*t,e*t).slice()}}var Mf=12,X0=1024;function $0(i){Vi(i.byteLength,Mf,"way");let e=i.getUint32(4,!0),t=i.getUint32(8,!0);if(e>=X0)throw new Si(`way: piece ${e}, less than ${X0} expected`);Ks(i.byteLength,Mf+16*t,"way");let n=new Float32Array(4*t);for(let s=0;s<4*t;s++)n[s]=i.getFloat32(Mf+4*s,!0);return{piece:e,places:n}}function Z0(i){Vi(i.byteLength,12,"points");let e=i.getUint16(4,!0),t=i.getUint32(8,!0),n=12+4*Math.ceil(e/4),s=(i.getUint16(6,!0)&1)!==0;Ks(i.byteLength,n+(s?16:12)*t,"points");let r=new Float32Array(3*t);for(let a=0;a<3*t;a++)r[a]=i.getFloat32(n+4*a,!0);let o=s?new Float32Array(t):null;if(o)for(let a=0;a<t;a++)o[a]=i.getFloat32(n+12*t+4*a,!0);return{name:J0(i,12,e),position:r,range:o}}function J0(i,e,t){return new TextDecoder().decode(new Uint8Array(i.buffer,i.byteOffset+e,t))}function K0(i){Vi(i.byteLength,8,"sight");let e=i.getUint16(4,!0),t=i.getUint16(6,!0),n=8+4*Math.ceil(e/4);if(t<4||t%4!==0)throw new Si(`sight: ${t} rays, a multiple of 4 expected`);Ks(i.byteLength,n+12+16*t,"sight");let s=o=>i.getFloat32(n+4*o,!0),r=new Float32Array(4*t);for(let o=0;o<r.length;o++)r[o]=s(3+o);return{name:J0(i,8,e),eye:[s(0),s(1),s(2)],rays:r}}var Rs=["hazards","goodness","mapCost","mapSlip","mapEnergy","mapRisk"],Sf=24;function j0(i){Vi(i.byteLength,Sf,"map");let e=i.getUint32(4,!0),[t,n,s]=[8,12,16].map(a=>i.getFloat32(a,!0)),r=i.getUint16(20,!0),o=i.getUint16(22,!0);if(e>=Rs.length)throw new Si(`map: kind ${e}, 0 to ${Rs.length-1} expected`);if(r===0||o===0||!(s>0)||!Number.isFinite(t+n+s))throw new Si(`map: ${r} x ${o} cells of ${s} m`);return Ks(i.byteLength,Sf+r*o,"map"),{what:e,x0:t,y0:n,cell:s,nx:r,ny:o,value:new Uint8Array(i.buffer,i.byteOffset+Sf,r*o).slice()}}function Q0(i){Vi(i.byteLength,9,"image");let e=i.getUint8(8);Vi(i.byteLength,9+e,"image");let t=new Uint8Array(i.buffer,i.byteOffset,i.byteLength);return{width:i.getUint16(4,!0),height:i.getUint16(6,!0),camera:new TextDecoder().decode(t.subarray(9,9+e)),jpeg:t.slice(9+e)}}var IE=96*1024*1024,wf=class{constructor(e=IE){this.limit=e}limit;times=[];frames=[];bytes=0;get length(){return this.times.length}get first(){return this.times.length>0?this.times[0]:Number.NaN}get last(){return this.times.length>0?this.times[this.times.length-1]:Number.NaN}push(e,t){if(this.times.length>0&&e<this.last&&this.clear(),e===this.last){this.frames[this.frames.length-1]=t;return}this.times.push(e),this.frames.push(t),this.bytes+=t.byteLength,this.bytes>this.limit&&this.thin()}at(e){return this.times.length===0?null:this.frames[Math.max(0,Cs(this.times,e)-1)]}clear(){this.times=[],this.frames=[],this.bytes=0}thin(){let e=this.times.length>>1,t=(n,s)=>s>=e||s%2===0;this.times=this.times.filter(t),this.frames=this.frames.filter(t),this.bytes=this.frames.reduce((n,s)=>n+s.byteLength,0)}};function Cs(i,e,t=i.length){let n=0,s=t;for(;n<s;){let r=n+s>>1;i[r]<=e?n=r+1:s=r}return n}var ja=class{length=0;times=new Float64Array(256);values=new Float64Array(256);unit="";error="";clear(){this.length=0}append(e,t){let n=Math.min(e.length,t.length);this.reserve(this.length+n);for(let s=0;s<n;s++){let r=e[s];r!==null&&(this.length>0&&r<=this.times[this.length-1]&&(this.length=Cs(this.times,r-1e-12,this.length)),this.times[this.length]=r,this.values[this.length++]=t[s]??Number.NaN)}}interpolate(e){let t=Cs(this.times,e,this.length);if(t===0||this.length===0)return Number.NaN;if(t===this.length)return e>this.times[t-1]?Number.NaN:this.values[t-1];let n=this.times[t-1],s=(e-n)/(this.times[t]-n);return this.values[t-1]+s*(this.values[t]-this.values[t-1])}nearest(e){if(this.length===0)return Number.NaN;let t=Cs(this.times,e,this.length);return t===0?this.values[0]:t===this.length?this.values[t-1]:e-this.times[t-1]<this.times[t]-e?this.values[t-1]:this.values[t]}reserve(e){if(e<=this.times.length)return;let t=this.times.length;for(;t<e;)t*=2;let n=new Float64Array(t),s=new Float64Array(t);n.set(this.times.subarray(0,this.length)),s.set(this.values.subarray(0,this.length)),this.times=n,this.values=s}};function LE(i,e){if(i.byteLength!==e.byteLength)return!1;for(let t=8;t+4<=i.byteLength;t+=4)if(i.getInt32(t)!==e.getInt32(t))return!1;return!0}var Nh=class{constructor(e,t,n){this.index=e;this.name=t;this.sceneName=n}index;name;sceneName;scene=null;status=null;values=[];events=[];plan=[];history=new wf;frame=new Ph;newest=null;fresh=!1;received=0;take(e,t,n){let s=e.getFloat64(8,!0),r=this.newest!==null&&s<this.newest.getFloat64(8,!0);return this.received++,this.newest!==null&&LE(this.newest,e)?!1:(this.newest=e,t&&this.history.push(s,e),(n===null||r)&&this.show(null),r)}show(e){let t=e===null?this.newest:this.history.at(e);t&&(this.frame.decode(t),this.fresh=!0)}get time(){return Number.isNaN(this.frame.time)?this.status?.time??0:this.frame.time}addEvents(e){for(let t of e)this.events.some(s=>s.time===t.time&&s.kind===t.kind&&s.text===t.text)||this.events.push(t);this.events.sort((t,n)=>t.time-n.time)}};var ev=["#3d8bff","#ff7a45","#22b07d","#c264e8","#e0a800","#e5487d","#27b3c9","#8a94a3","#9a6b3f","#a9d13a"];function tv(i){return/^rad(\/|$)/.test(i)?{unit:i.replace("rad","deg"),scale:180/Math.PI}:{unit:i,scale:1}}var Ef=class{constructor(e){this.source=e}source;signals=new Map;changed=!1;use(e,t){let n=`${e} ${t}`,s=this.signals.get(n);return s||(s={id:this.source.ask(e,t),run:e,name:t,series:new ja,users:0},this.signals.set(n,s)),s.users++,s}release(e){--e.users>0||(this.signals.delete(`${e.run} ${e.name}`),this.source.drop(e.id))}byId(e){for(let t of this.signals.values())if(t.id===e)return t}receive(e,t,n,s,r){let o=this.byId(e);if(!o)return;s||o.series.clear();let a=tv(r);o.series.unit=a.unit,o.series.error="",o.series.append(t,a.scale===1?n:n.map(l=>l===null?null:a.scale*l)),this.changed=!0}askAgain(){for(let e of this.signals.values())e.id=this.source.ask(e.run,e.name)}clear(){for(let e of this.signals.values())e.series.clear();this.changed=!0}};function NE(i,e,t,n,s){if(s.length=2*n,s.fill(null),i.length===0||t<=e)return;let r=Math.max(Cs(i.times,e,i.length)-1,0),o=Math.min(Cs(i.times,t,i.length),i.length-1),a=n/(t-e);for(let l=r;l<=o;l++){let c=i.values[l];if(Number.isNaN(c))continue;let h=Math.min(Math.max(Math.floor((i.times[l]-e)*a),0),n-1);DE(s,2*h,c)}}function DE(i,e,t){let n=i[e],s=i[e+1];n===null?i[e]=t:s===null?i[e+1]=t:n<=s?t>s?i[e+1]=t:t<n&&([i[e],i[e+1]]=[s,t]):t<s?i[e+1]=t:t>n&&([i[e],i[e+1]]=[s,t])}function UE(i,e,t){t.clear();let n=[],s=[];for(let r=0;r<i.length;r++){let o=e.interpolate(i.times[r]);Number.isNaN(o)||(n.push(i.times[r]),s.push(i.values[r]-o))}t.append(n,s)}var Dh=class{constructor(e,t){this.panel=e;this.state=t;let n=Ft("","Add a signal to this plot",()=>this.panel.target(this),"plus","quiet"),s=Ft("","Remove this plot",()=>this.panel.remove(this),"cross","quiet"),r=j("div",{className:"plot-tools"},n,s);e.source.runs()>1&&r.prepend(this.differenceButton()),this.element=j("section",{className:"plot",data:{test:"plot"}},r,this.legend,this.box);for(let o of t.signals)this.signals.push(e.store.use(o.run,o.name));this.rebuild()}panel;state;element;plot=null;box=j("div",{className:"plot-canvas"});legend=j("div",{className:"plot-legend"});signals=[];diff=new ja;x=[];ys=[];cursor=null;values=[];differenceButton(){let e=Ft("A − B","Show the difference of the two runs",()=>{this.state.difference=!this.state.difference,e.setAttribute("aria-pressed",String(this.state.difference)),this.rebuild(),this.panel.onChange()},void 0,"quiet toggle");return e.dataset.test="difference",e.setAttribute("aria-pressed",String(this.state.difference)),e}has(e,t){return this.state.signals.some(n=>n.run===e&&n.name===t)}add(e,t){this.has(e,t)||(this.state.signals.push({run:e,name:t}),this.signals.push(this.panel.store.use(e,t)),this.rebuild())}removeSignal(e){this.panel.store.release(this.signals[e]),this.signals.splice(e,1),this.state.signals.splice(e,1),this.signals.length===0?this.panel.remove(this):this.rebuild(),this.panel.onChange()}dispose(){for(let e of this.signals)this.panel.store.release(e);this.plot?.destroy()}pair(){for(let e of this.signals){let t=this.signals.find(n=>n.name===e.name&&n.run===1);if(e.run===0&&t)return[e,t]}return null}rebuild(){this.plot?.destroy(),this.ys.length=0;let e=this.state.difference&&this.pair()!==null,t=this.signals.length+(e?1:0),n=getComputedStyle(document.documentElement),s=n.getPropertyValue("--ink-2").trim(),r=n.getPropertyValue("--rule").trim(),o={stroke:s,grid:{stroke:r,width:1},ticks:{stroke:r,size:4,width:1},font:"11px system-ui, sans-serif"},a=[{}];for(let l=0;l<t;l++){this.ys.push([]);let c=this.signals[l]?.run===1?[5,3]:l>=this.signals.length?[2,2]:void 0;a.push({stroke:this.colour(l),width:1.5,spanGaps:!0,points:{show:!1},...c?{dash:c}:{}})}this.plot=new Dn({width:Math.max(this.box.clientWidth||320,120),height:132,series:a,legend:{show:!1},padding:[6,8,0,0],scales:{x:{time:!1,auto:!1},y:{auto:!0}},axes:[{...o,size:24,gap:2,space:60},{...o,size:52,gap:3,space:26,values:(l,c)=>c.map(h=>ci(h))}],cursor:{sync:{key:"rille"},drag:{x:!0,y:!1,setScale:!1},points:{show:!1},y:!1},hooks:{setCursor:[l=>this.setCursor(l)],setSelect:[l=>this.setSelect(l)],draw:[l=>this.drawNow(l)]}},[this.x,...this.ys],this.box),this.plot.over.addEventListener("dblclick",()=>this.panel.zoom(null)),this.plot.over.addEventListener("click",l=>{l.detail===1&&this.plot&&(l.altKey||l.ctrlKey)&&this.panel.source.seek(this.plot.posToVal(l.offsetX,"x"))}),this.buildLegend(e),this.refresh()}colour(e){if(e>=this.signals.length)return getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();let t=this.signals.findIndex(n=>n.name===this.signals[e].name);return ev[t%ev.length]}buildLegend(e){if(this.legend.replaceChildren(),this.values.length=0,this.signals.forEach((s,r)=>{let o=j("i",{className:s.run===1?"swatch dashed":"swatch"});o.style.setProperty("--c",this.colour(r));let a=j("b",{},"–");this.values.push(a);let l=this.panel.source.runs()>1?` ${s.run===0?"A":"B"}`:"",{unit:c}=tv(this.panel.source.unit(s.run,s.name));this.legend.append(j("div",{className:"key",title:s.name},o,j("span",{},s.name+l),a,j("em",{},c),Ft("",`Remove ${s.name}`,()=>this.removeSignal(r),"cross","quiet tiny")))}),!e)return;let t=j("i",{className:"swatch dotted"});t.style.setProperty("--c",this.colour(this.signals.length));let n=j("b",{data:{test:"difference-value"}},"–");this.values.push(n),this.legend.append(j("div",{className:"key"},t,j("span",{},"A − B"),n))}setCursor(e){let t=e.cursor.left??-1;this.cursor=t>=0?e.posToVal(t,"x"):null,this.showValues()}setSelect(e){e.select.width<4||(this.panel.zoom([e.posToVal(e.select.left,"x"),e.posToVal(e.select.left+e.select.width,"x")]),e.setSelect({left:0,top:0,width:0,height:0},!1))}drawNow(e){let t=e.valToPos(this.panel.source.time(),"x",!0);t>=e.bbox.left&&t<=e.bbox.left+e.bbox.width&&(e.ctx.save(),e.ctx.strokeStyle="#ff4d4f",e.ctx.globalAlpha=.75,e.ctx.lineWidth=devicePixelRatio,e.ctx.beginPath(),e.ctx.moveTo(t,e.bbox.top),e.ctx.lineTo(t,e.bbox.top+e.bbox.height),e.ctx.stroke(),e.ctx.restore())}showValues(){let e=this.cursor??this.panel.source.time();this.values.forEach((t,n)=>{let s=this.signals[n]?.series??this.diff,r=s.error||ci(s.nearest(e));t.textContent!==r&&(t.textContent=r)})}refresh(){if(!this.plot)return;let e=this.box.clientWidth;e>0&&Math.abs(e-this.plot.width)>1&&this.plot.setSize({width:e,height:132});let[t,n]=this.panel.range(),s=Math.max(Math.round(this.plot.bbox.width/devicePixelRatio),50);this.x.length=2*s;for(let o=0;o<2*s;o++)this.x[o]=t+(o+.25)*(n-t)/(2*s);let r=this.state.difference?this.pair():null;r&&UE(r[0].series,r[1].series,this.diff),this.ys.forEach((o,a)=>NE(this.signals[a]?.series??this.diff,t,n,s,o)),this.plot.setData([this.x,...this.ys],!1),this.plot.setScale("x",{min:t,max:n}),this.showValues()}get samples(){return this.signals.reduce((e,t)=>e+t.series.length,0)}},Uh=class{constructor(e,t){this.source=e;this.settings=t;this.store=new Ef(e)}source;settings;list=j("div",{className:"plots"});store;cards=[];zoomed=null;aimed=null;lastTime=Number.NaN;onChange=()=>{};onTarget=()=>{};restore(e){for(let t of this.cards)t.dispose();this.settings=e,this.cards=e.plots.map(t=>new Dh(this,t)),this.list.replaceChildren(...this.cards.map(t=>t.element))}add(e){let t=Array.from({length:this.source.runs()},(s,r)=>r),n=this.aimed;if(n)for(let s of t)n.add(s,e);else{let s={signals:t.map(r=>({run:r,name:e})),difference:t.length>1};this.settings.plots.push(s),n=new Dh(this,s),this.cards.push(n),this.list.append(n.element),n.refresh(),n.element.scrollIntoView({block:"nearest"})}this.aimed=null,this.onTarget(""),this.onChange()}target(e){this.aimed=e,this.onTarget(e.state.signals[0]?.name??"")}cancelTarget(){this.aimed=null,this.onTarget("")}remove(e){e.dispose(),e.element.remove(),this.cards=this.cards.filter(t=>t!==e),this.settings.plots.splice(this.settings.plots.indexOf(e.state),1),this.aimed===e&&this.cancelTarget(),this.onChange()}zoom(e){this.zoomed=e,this.redraw()}get isZoomed(){return this.zoomed!==null}range(){if(this.zoomed)return this.zoomed;let[e,t]=this.source.span();if(this.settings.window<=0)return[e,Math.max(t,e+.001)];let n=this.source.time();return[n-this.settings.window,n+.02*this.settings.window]}redraw(){for(let e of this.cards)e.refresh()}rebuild(){for(let e of this.cards)e.rebuild()}tick(){let e=this.source.time();!this.store.changed&&e===this.lastTime||(this.store.changed=!1,this.lastTime=e,this.redraw())}get samples(){return this.cards.map(e=>e.samples)}};function FE(i,e,t){let n=1,s=i.toLowerCase();for(let r of t){let o=r.includes("*")?OE(s,r):s.indexOf(r);if(o>=0)n+=o===0||/[._\-\s]/.test(s[o-1])?6:3;else if(e.toLowerCase().includes(r))n+=1;else return 0}return n+2/(1+i.length/20)}function OE(i,e){let t=e.split("*").map(n=>n.replace(/[.+?^${}()|[\]\\]/g,"\\$&")).join(".*");return i.search(new RegExp(t))}function Tf(i,e,t){let n=e.toLowerCase().split(/\s+/).filter(Boolean);if(n.length===0)return{hits:i.slice(0,t),total:i.length};let s=[];for(let r of i){let o=FE(r.name,r.doc,n);o>0&&s.push({value:r,points:o})}return s.sort((r,o)=>o.points-r.points),{hits:s.slice(0,t).map(r=>r.value),total:s.length}}var Fh=class{constructor(e,t,n,s=()=>{}){this.values=t;this.choose=n;this.cancel=s;this.input=j("input",{type:"search",placeholder:e,spellcheck:!1,autocomplete:"off"}),this.input.setAttribute("aria-label",e),this.element=j("div",{className:"search"},this.input,this.list),this.input.oninput=()=>this.show(),this.input.onfocus=()=>this.show(),this.input.onblur=()=>setTimeout(()=>this.list.hidden=!0,150),this.input.onkeydown=r=>this.key(r)}values;choose;cancel;element;input;list=j("ul",{className:"completion",role:"listbox",hidden:!0});hits=[];at=0;show(){let e=Tf(this.values(),this.input.value,40);this.hits=e.hits,this.at=0,this.list.replaceChildren(...this.hits.map((t,n)=>{let s=j("li",{role:"option",title:t.doc},j("span",{},t.name),j("em",{},t.unit),j("small",{},t.kind));return s.onpointerdown=r=>{r.preventDefault(),this.take(n)},s})),e.total>this.hits.length&&this.list.append(j("li",{className:"more"},`${e.total-this.hits.length} more: type on`)),e.total===0&&this.list.append(j("li",{className:"more"},"No value has such a name")),this.list.hidden=!1,this.mark()}mark(){[...this.list.children].forEach((e,t)=>e.setAttribute("aria-selected",String(t===this.at&&t<this.hits.length))),this.list.children[this.at]?.scrollIntoView({block:"nearest"})}key(e){if(e.stopPropagation(),e.key==="ArrowDown")this.at=Math.min(this.at+1,this.hits.length-1);else if(e.key==="ArrowUp")this.at=Math.max(this.at-1,0);else if(e.key==="Enter")this.take(this.at);else if(e.key==="Escape")this.list.hidden=!0,this.input.blur(),this.cancel();else return;e.preventDefault(),this.mark()}take(e){let t=this.hits[e];t&&(this.input.value="",this.list.hidden=!0,this.choose(t))}};var nv={surface:"natural",rutColour:"natural",robot:!0,ornaments:!0,shadows:!0,grid:!1,contours:!1,frames:!1,labels:!1,contacts:!1,tracks:!1,ruts:!0,path:!1,plan:!0,hazards:!0,goodness:!1,mapCost:!1,mapSlip:!1,mapEnergy:!1,mapRisk:!1,lidar:!0,pictures:!1,sights:!1,tethers:!0,com:!1,support:!1,pulls:!0};function Oh(i,e="a"){return{camera:i,run:e,layers:null,azimuth:-2.4,elevation:.42,distance:0,offset:[0,0,0],free:!1}}function Po(i){let e=i>1?"b":"a";return{theme:"auto",views:i>1?2:1,view:[Oh("orbit","a"),Oh(i>1?"orbit":"chase",e),Oh("plan",i>1?"both":"a"),Oh("onboard","a")],layers:{...nv},tab:"plots",panel:!0,plots:[],window:0}}function Co(i,e){if(typeof i!="object"||i===null){let n=typeof e!="number"||Number.isFinite(e);return typeof e==typeof i&&n?e:i}if(typeof e!="object"||e===null||Array.isArray(e)!==Array.isArray(i))return i;if(Array.isArray(i))return i.map((n,s)=>Co(n,e[s]));let t={...i};for(let n of Object.keys(t))t[n]=Co(t[n],e[n]);return t}function kE(i,e){let t=Co(Po(i),e);if(typeof e!="object"||e===null)return t;let n=e;return Array.isArray(n.plots)&&(t.plots=n.plots.slice(0,24).map(BE)),t.view.forEach((s,r)=>{let o=Array.isArray(n.view)?n.view[r]?.layers:null;s.layers=o?Co(nv,o):null}),[1,2,4].includes(t.views)||(t.views=1),t}function BE(i){let e=Co({difference:!1},i),t=i?.signals,n=Array.isArray(t)?t.slice(0,12).map(s=>Co({run:0,name:""},s)):[];return{difference:e.difference,signals:n.filter(s=>s.name!=="")}}function Af(i,e){let n=["natural","slope","soil","height"].find(s=>s===e);n?i.surface=n:e==="slip"||e==="sinkage"?i.rutColour=e:e in i&&(i[e]=!0)}var zE=4;function kh(i,e){let t=e.view;if(t){let{azimuth:n,elevation:s,distance:r}=t;Object.assign(i.view[0],{camera:t.kind,azimuth:n,elevation:s,distance:r,offset:[...t.target],free:!t.follow});for(let o of t.layers.split(","))Af(i.layers,o)}if(!(i.plots.length>0))for(let n of(e.plots??[]).slice(0,zE)){let s=n.values.map(r=>({run:e.run,name:r}));s.length>0&&i.plots.push({signals:s,difference:!1})}}function iv(i){try{return new URLSearchParams(location.hash.slice(1)).has("view")||localStorage.getItem(Rf(i))!==null}catch{return!1}}var Rf=i=>`rille.view.1:${i}`;function sv(i,e){try{let n=new URLSearchParams(location.hash.slice(1)).get("view")??localStorage.getItem(Rf(i));return kE(e,n?JSON.parse(n):null)}catch{return Po(e)}}function rv(i,e){try{localStorage.setItem(Rf(i),JSON.stringify(e))}catch{}}function ov(i){let e=new URL(location.href);return e.hash=new URLSearchParams({view:JSON.stringify(i)}).toString(),e.toString()}var Bh={ice:14674674,concrete:10526360,steel:10002600},Cf={name:"ice moon",stuff:{...Bh,sand:12898006,soil:11845576,rock:9410462,ground:13622244},zenith:329484,horizon:725016,sun:16645375,low:16645375,sunPower:2.7,skyPower:.42,air:0},lv={name:"moon",stuff:{...Bh,sand:9407623,soil:8618107,rock:7631471,ground:8947072},zenith:131844,horizon:395018,sun:16776178,low:16776178,sunPower:3.2,skyPower:.3,air:0},cv={name:"mars",stuff:{...Bh,sand:11242091,soil:10517602,rock:9729120,ground:10714981},zenith:11042904,horizon:14466967,sun:16773340,low:14279935,sunPower:2.5,skyPower:.95,air:.16},Pf={name:"earth",stuff:{...Bh,sand:12626303,soil:8745050,rock:8815228,ground:11050118},zenith:4158644,horizon:12440550,sun:16774370,low:16751701,sunPower:2.5,skyPower:1,air:.13},av={earth:Pf,moon:lv,mars:cv,europa:Cf,enceladus:Cf};function Io(i){return{...Pf,name:"studio",zenith:i?1185307:14147302,horizon:i?2699322:15988473,sun:16777215,low:16777215,sunPower:2.2,skyPower:1.15,air:0}}function hv(i){return{...Io(!0),zenith:i?1185307:2568250,horizon:i?2699322:5595759}}function uv(i,e){return av[i]?av[i]:e>0&&e<1?Cf:e>=1&&e<2.6?lv:e>=2.6&&e<6?cv:Pf}var VE=[[/ice|glacier|snow|firn|frost/i,"ice"],[/concrete|floor|pavement|asphalt|plaster/i,"concrete"],[/steel|metal|alumin|iron/i,"steel"],[/sandstone|rock|basalt|outcrop|boulder|stone|gravel/i,"rock"],[/sand|dune|drift|ripple/i,"sand"],[/soil|regolith|loam|clay|crust|clod|trench|simulant|dust|dirt|mer_|viking|msl|grc|jsc|lunar|fjs|es-/i,"soil"]];function GE(i){for(let e of[i?.soil??"",i?.name??""])for(let[t,n]of VE)if(t.test(e))return n;return"ground"}function If(i,e){let t=e?.colour?new Be().setRGB(e.colour[0],e.colour[1],e.colour[2],nn):null,n=new Map,s=[],r=[];for(let o=0;o<256;o++){let a=o===0||e?.materials?.[o]?GE(e?.materials?.[o]):"ground",l=n.get(a)??0;n.set(a,l+1);let c=l===0?0:(l%2===0?.035:-.045)+(l*.618034%1-.5)*.02,h=t?.clone()??new Be(e?.materials?.[o]?.colour?0:i.stuff[a]),u=e?.materials?.[o]?.colour;u&&h.setRGB(u[0],u[1],u[2],nn),s.push(h.offsetHSL(0,0,c)),o<8&&r.push(a==="ice"?1:0)}return{colours:s,icy:r}}function Lf(i,e){let t=i?.track??[];if(!i||t.length<2)return i??null;let n=t.findIndex(d=>d[0]>e);n<0&&(n=t.length-1),n=Math.max(n,1);let[[s,r,o],[a,l,c]]=[t[n-1],t[n]],h=Math.min(Math.max((e-s)/(a-s),0),1),u=Math.atan2(Math.sin(l-r),Math.cos(l-r));return{azimuth:r+h*u,elevation:o+h*(c-o)}}var zh=[15113984,5682409,40563,15787074,29362,13983232,13400487,10066329],dv=`
vec3 rilleRamp(float t) {
  t = clamp(t, 0.0, 1.0);
  vec3 a = vec3(0.19, 0.13, 0.40), b = vec3(0.16, 0.40, 0.60), c = vec3(0.16, 0.66, 0.52), d = vec3(0.62, 0.83, 0.27), e = vec3(0.99, 0.90, 0.25);
  float s = t * 4.0;
  vec3 r = mix(a, b, clamp(s, 0.0, 1.0));
  r = mix(r, c, clamp(s - 1.0, 0.0, 1.0));
  r = mix(r, d, clamp(s - 2.0, 0.0, 1.0));
  r = mix(r, e, clamp(s - 3.0, 0.0, 1.0));
  return r * r; // towards linear light
}
// Slip from -1 (blue) over rolling (pale) to 1 (dark red): each side darkens evenly.
vec3 rilleSlip(float t) {
  vec3 a = vec3(0.13, 0.24, 0.56), b = vec3(0.40, 0.66, 0.82), c = vec3(0.97, 0.94, 0.78), d = vec3(0.95, 0.57, 0.28), e = vec3(0.52, 0.05, 0.14);
  float s = clamp(t, -1.0, 1.0) * 2.0 + 2.0;
  vec3 r = mix(a, b, clamp(s, 0.0, 1.0));
  r = mix(r, c, clamp(s - 1.0, 0.0, 1.0));
  r = mix(r, d, clamp(s - 2.0, 0.0, 1.0));
  r = mix(r, e, clamp(s - 3.0, 0.0, 1.0));
  return r * r;
}
vec3 rilleHazard(float t) {
  vec3 a = vec3(0.18, 0.55, 0.34), b = vec3(0.93, 0.84, 0.30), c = vec3(0.91, 0.48, 0.16), d = vec3(0.74, 0.12, 0.17);
  float s = clamp(t, 0.0, 1.0) * 3.0;
  vec3 r = mix(a, b, clamp(s, 0.0, 1.0));
  r = mix(r, c, clamp(s - 1.0, 0.0, 1.0));
  r = mix(r, d, clamp(s - 2.0, 0.0, 1.0));
  return r * r;
}
`;function Qa(i){let e=Math.pow(10,Math.floor(Math.log10(i))),t=i/e;return(t<=1?1:t<=2?2:t<=5?5:10)*e}function fv(i=256){let e=new Uint8Array(i*i*4),t=new Float32Array(i*i),n=12345,s=()=>(n=n*1103515245+12345&2147483647)/2147483647;for(let a=4,l=1;a<=i/2;a*=2,l*=.62)WE(t,i,a,l,s);let r=(a,l)=>t[(l+i)%i*i+(a+i)%i];for(let a=0;a<i;a++)for(let l=0;l<i;l++){let c=4*(a*i+l);e[c]=128+127*Math.tanh(.9*(r(l-1,a)-r(l+1,a))),e[c+1]=128+127*Math.tanh(.9*(r(l,a-1)-r(l,a+1))),e[c+2]=128+127*Math.tanh(.8*r(l,a)),e[c+3]=255}let o=new Li(e,i,i);return o.wrapS=o.wrapT=Qr,o.minFilter=Di,o.magFilter=Ln,o.generateMipmaps=!0,o.needsUpdate=!0,o}function WE(i,e,t,n,s){let r=Float32Array.from({length:t*t},()=>n*(2*s()-1)),o=a=>a*a*(3-2*a);for(let a=0;a<e;a++){let l=a*t/e,c=Math.floor(l),h=o(l-c),u=c*t,d=(c+1)%t*t;for(let f=0;f<e;f++){let g=f*t/e,y=Math.floor(g),m=y+1===t?0:y+1,p=o(g-y);i[a*e+f]+=(1-h)*((1-p)*r[u+y]+p*r[u+m])+h*((1-p)*r[d+y]+p*r[d+m])}}}var Nf=45,pv=new k(0,0,1),Hh=class{constructor(e){this.state=e;this.pane=document.createElement("div"),this.pane.className="pane",this.listen()}state;pane;perspective=new Cn(Nf,1,.05,2e4);plan=new lr(-1,1,1,-1,-5e3,5e3);target=new k;yaw=Number.NaN;wanted=new k;direction=new k;body=new lt;pointers=new Map;dragging=!1;moved=0;lastRun=-1;metresPerPixel=0;onChange=()=>{};onPick=()=>{};onFocus=()=>{};drag=null;get kind(){return this.named()?.kind??this.state.camera}cameras=[];get camera(){return this.kind==="plan"?this.plan:this.perspective}named(){return this.state.camera.startsWith("name:")?this.cameras.find(e=>e.name===this.state.camera.slice(5))??null:null}snap(){this.yaw=Number.NaN,this.lastRun=-1}aim(e,t,n,s){let r=this.kind,o=e.robot.size;this.follow(e,t),this.perspective.aspect=n/Math.max(s,1),this.perspective.fov=this.named()?.fov?ki.radToDeg(this.named()?.fov??0):Nf,this.perspective.near=Math.max(.004*o,.002),this.perspective.far=Math.max(3e3,400*o),this.metresPerPixel=0,r==="plan"?this.aimPlan(e,n,s):r==="onboard"?this.aimOnboard(e):r==="fixed"?this.aimFixed(e):this.aimOrbit(e,r==="chase"),this.perspective.updateProjectionMatrix(),this.camera.updateMatrixWorld()}follow(e,t){this.wanted.copy(e.focus);let n=e.heading();(Number.isNaN(this.yaw)||this.lastRun!==e.run.index||this.target.distanceTo(this.wanted)>6*e.robot.size)&&(this.target.copy(this.wanted),this.yaw=n),this.lastRun=e.run.index,this.target.lerp(this.wanted,1-Math.exp(-t/.08));let r=Math.atan2(Math.sin(n-this.yaw),Math.cos(n-this.yaw));this.yaw+=r*(1-Math.exp(-t/.45))}distance(e){return this.state.distance>0?this.state.distance:(e.robot.names.length<3?1.9:1)*e.robot.size*2.35/Math.min(.85*this.perspective.aspect,1)}aimOrbit(e,t){let n=this.state,s=t?this.yaw+Math.PI+(n.azimuth+2.4):n.azimuth,r=t?Math.min(n.elevation,1.2)*.75:n.elevation;this.direction.set(Math.cos(s)*Math.cos(r),Math.sin(s)*Math.cos(r),Math.sin(r)),this.wanted.fromArray(n.offset),(!n.free||t)&&(this.wanted.add(this.target),e.run.scene?.view&&e.run.scene.view.distance>0||(this.wanted.z+=.4*e.robot.rise));let o=this.distance(e);this.perspective.position.copy(this.wanted).addScaledVector(this.direction,o);let a=e.terrain.heightAt(this.perspective.position.x,this.perspective.position.y),l=a+.06*e.robot.size;a<this.wanted.z&&this.perspective.position.z<l&&(this.perspective.position.z=l),this.perspective.up.copy(pv),this.perspective.lookAt(this.wanted)}aimPlan(e,t,n){let s=this.state,r=(s.distance>0?s.distance:e.robot.size*3)*.5,o=r*t/Math.max(n,1);Object.assign(this.plan,{left:-o,right:o,top:r,bottom:-r}),this.metresPerPixel=2*r/Math.max(n,1),this.wanted.fromArray(s.offset),s.free||this.wanted.add(this.target),this.plan.position.set(this.wanted.x,this.wanted.y,this.wanted.z),this.plan.up.set(0,1,0),this.plan.lookAt(this.wanted.x,this.wanted.y,this.wanted.z-1),this.plan.updateProjectionMatrix()}aimOnboard(e){let t=this.named()??this.cameras.find(c=>c.kind==="onboard")??null,n=XE(e,t?.body??0),s=e.robot.size,r=t?.position??[.15*s,0,.55*s],o=t?.target??[2.2*s,0,0];e.run.frame.bodies>n&&e.robot.bodyMatrix(e.run.frame,n,this.body);let a=this.perspective.position.fromArray(r).applyMatrix4(this.body),l=this.direction.fromArray(o).applyMatrix4(this.body);t?.fov&&(this.perspective.fov=ki.radToDeg(t.fov)),this.perspective.up.setFromMatrixColumn(this.body,2),Math.abs(this.perspective.up.dot(this.wanted.copy(l).sub(a).normalize()))>.98&&this.perspective.up.setFromMatrixColumn(this.body,0),this.perspective.lookAt(l)}aimFixed(e){let t=this.named();t?.position&&this.perspective.position.fromArray(t.position),this.perspective.up.copy(pv),t?.target?this.perspective.lookAt(this.direction.fromArray(t.target)):t||this.perspective.position.lengthSq()>0?this.perspective.lookAt(this.target):this.aimOrbit(e,!1)}listen(){let e=this.pane;e.addEventListener("pointerdown",t=>this.down(t)),e.addEventListener("pointermove",t=>this.move(t)),e.addEventListener("pointerup",t=>this.up(t)),e.addEventListener("pointercancel",t=>this.up(t)),e.addEventListener("wheel",t=>this.wheel(t),{passive:!1}),e.addEventListener("contextmenu",t=>{t.target===e&&t.preventDefault()}),e.addEventListener("dblclick",t=>{t.target===e&&this.recentre()})}ray(e){let t=this.pane.getBoundingClientRect(),n=(e.clientX-t.left)/t.width*2-1,s=1-(e.clientY-t.top)/t.height*2,r=new Pa;return r.setFromCamera(new We(n,s),this.camera),r}down(e){e.target===this.pane&&(this.onFocus(),this.pane.setPointerCapture(e.pointerId),this.pointers.set(e.pointerId,e),this.moved=0,this.dragging=e.button===0&&this.pointers.size===1&&(this.drag?.start(this,this.ray(e))??!1))}move(e){let t=this.pointers.get(e.pointerId);if(!t)return;let n=e.clientX-t.clientX,s=e.clientY-t.clientY;this.moved+=Math.abs(n)+Math.abs(s),this.dragging?this.drag?.move(this.ray(e),e.shiftKey?-s:0):this.pointers.size===2?this.pinch(e):e.buttons===1&&!e.shiftKey&&this.kind!=="plan"?this.rotate(n,s):e.buttons!==0&&this.pan(n,s),this.pointers.set(e.pointerId,e)}up(e){this.pointers.delete(e.pointerId)&&(this.dragging?this.drag?.end():this.moved<4&&e.type==="pointerup"&&e.button===0&&this.onPick(this.ray(e)),this.dragging=!1,this.onChange())}pinch(e){let t=[...this.pointers.values()].find(r=>r.pointerId!==e.pointerId),n=this.pointers.get(e.pointerId);if(!t||!n)return;let s=r=>Math.hypot(r.clientX-t.clientX,r.clientY-t.clientY);this.zoom(s(n)/Math.max(s(e),1))}rotate(e,t){this.state.azimuth-=e*.008,this.state.elevation=ki.clamp(this.state.elevation+t*.006,-1.45,1.52),this.state.camera==="fixed"&&(this.state.camera="orbit"),this.onChange()}pan(e,t){let n=Math.max(this.pane.clientHeight,1),s=this.camera,o=(s===this.plan?this.plan.top-this.plan.bottom:2*this.currentDistance()*Math.tan(Nf*Math.PI/360))/n,a=this.direction.setFromMatrixColumn(s.matrixWorld,0).clone(),l=this.direction.setFromMatrixColumn(s.matrixWorld,1).clone(),c=new k().fromArray(this.state.offset).addScaledVector(a,-e*o).addScaledVector(l,t*o);this.state.offset=[c.x,c.y,c.z],this.onChange()}currentDistance(){return this.state.distance>0?this.state.distance:this.perspective.position.distanceTo(this.wanted)}wheel(e){e.target===this.pane&&(e.preventDefault(),this.dragging?this.drag?.turn(e.deltaY*.002):this.zoom(Math.exp(ki.clamp(e.deltaY,-300,300)*.0012)))}zoom(e){let t=this.kind==="plan"?this.plan.top-this.plan.bottom:this.currentDistance();this.state.distance=ki.clamp(t*e,.001,1e4),this.onChange()}recentre(){Object.assign(this.state,{offset:[0,0,0],distance:0,free:!1,azimuth:-2.4,elevation:.42}),this.onChange()}};function XE(i,e){return Math.max(typeof e=="number"?e:i.robot.names.indexOf(e??""),0)}var qE=1500,mv=34,Vh=[{ratio:1,cell:5,shadow:2048},{ratio:.85,cell:9,shadow:1024},{ratio:.7,cell:14,shadow:1024},{ratio:.55,cell:20,shadow:512}],Gh=class{constructor(e,t,n,s){this.world=t;this.host=n;let{canvas:r,context:o}=e,a=!s&&e.software;this.adaptive=!s,a&&(this.quality=Vh.length-1),this.renderer=new sh({canvas:r,context:o}),this.renderer.debug.checkShaderErrors=!a,this.renderer.shadowMap.enabled=!0,this.renderer.shadowMap.type=cr,this.renderer.toneMapping=La,this.renderer.toneMappingExposure=.95,this.renderer.autoClear=!1,this.element.append(r,this.grid),new ResizeObserver(()=>this.touch()).observe(this.element),requestAnimationFrame(l=>this.tick(l))}world;host;element=j("main",{className:"stage"});views=[];renderer;grid=j("div",{className:"panes"});chrome=[];activeUntil=0;last=0;quality=0;slow=0;focused=0;pictures=0;adaptive;hold=!1;arrange(e){let t=this.host.settings();this.views.length=0,this.chrome.length=0,this.grid.replaceChildren(),this.grid.dataset.count=String(t.views),this.focused=Math.min(this.focused,t.views-1);for(let n=0;n<t.views;n++){let s=new Hh(t.view[n]);s.drag=e,s.onChange=()=>{this.host.changed(),this.touch()},s.onFocus=()=>{this.focused=n,this.update()},s.onPick=r=>this.pick(s,r),this.views.push(s),this.decorate(s,n),this.grid.append(s.pane)}this.setCameras(),this.update()}touch(){this.activeUntil=performance.now()+qE}update(){for(let e of this.chrome)e.update();this.views.forEach((e,t)=>e.pane.classList.toggle("focused",t===this.focused&&this.views.length>1)),this.touch()}setCameras(){for(let e of this.views)e.cameras=this.runOf(e.state.run)?.run.scene?.cameras??[];for(let e of this.chrome)e.update()}layersOf(e){return e.state.layers??this.host.settings().layers}runOf(e){return this.world.runs[e==="b"?1:0]??this.world.runs[0]}any(e){return this.views.some(t=>!!this.layersOf(t)[e])}setCamera(e,t=this.focused){let n=this.views[t];n&&((n.kind==="plan"||e==="plan")&&(n.state.distance=0),n.state.camera=e,n.snap(),this.host.changed(),this.update())}pick(e,t){let n=this.runOf(e.state.run),s=n?.robot.pick(t);n&&s&&this.host.picked(n.robot.names[s.body]??"")}decorate(e,t){let n=ws([{value:"orbit",label:"Orbit",title:"Look from all sides (O)"},{value:"chase",label:"Chase",title:"Behind the robot (C)"},{value:"plan",label:"Plan",title:"From above, north up (P)"},{value:"onboard",label:"On board",title:"From the robot (B)"},{value:"fixed",label:"Fixed",title:"The camera stays where it is (F)"}],()=>e.state.camera,c=>this.setCamera(c,t));n.element.dataset.test="cameras";let s=j("select",{className:"named",title:"Cameras of the scene"});s.onchange=()=>this.setCamera(s.value,t);let r=j("select",{title:"Which run this viewport shows",data:{test:"view-run"}});for(let[c,h]of[["a","A"],["b","B"],["both","A + B"]])r.append(j("option",{value:c},h));r.onchange=()=>{e.state.run=r.value,e.snap(),this.setCameras(),e.onChange()};let o=this.layerPopover(e),a=Ft("","Layers of this viewport",()=>{o.element.hidden=!o.element.hidden,o.update()},"layers","quiet"),l=j("div",{className:"legend"});e.pane.append(j("div",{className:"view-bar"},n.element,s,r,a),o.element,l),this.chrome.push({update:()=>{n.update(),this.fillNamed(s,e),r.hidden=this.world.runs.length<2,r.value=e.state.run,o.update(),a.classList.toggle("on",e.state.layers!==null),this.drawLegend(l,this.layersOf(e),e)}})}fillNamed(e,t){let n=t.cameras.map(r=>r.name);e.hidden=n.length===0;let s=n.join(`
`);if(e.dataset.names!==s){e.dataset.names=s;let r=n.map(o=>j("option",{value:`name:${o}`},o));e.replaceChildren(j("option",{value:"",disabled:!0},"Scene…"),...r)}e.value=t.named()?t.state.camera:""}layerPopover(e){let t=j("input",{type:"checkbox"}),n=()=>{this.host.changed(),this.update()},s=new xo({get:()=>this.layersOf(e),changed:n,missing:l=>this.host.missing(l)});t.onchange=()=>{e.state.layers=t.checked?{...this.host.settings().layers}:null,n()};let r=j("label",{className:"check strong"},t,"Own layers for this viewport"),o=j("div",{className:"popover",hidden:!0},r,s.element);return{element:o,update:()=>{t.checked=e.state.layers!==null,o.hidden||s.update()}}}drawLegend(e,t,n){let s=this.runOf(n.state.run);if(!s)return;let r=[],o=(c,h,u,d)=>{r.push(j("div",{className:"scale"},j("span",{},d),j("i",{className:c}),j("em",{},`${h} … ${u}`)))},[a,l]=s.terrain.range;t.surface==="slope"&&o("hazard","0","35°","Slope"),t.surface==="height"&&Number.isFinite(a)&&o("ramp",ci(a),`${ci(l)} m`,"Height"),t.rutColour==="slip"&&s.terrain.hasRuts&&o("slip","−1 skids","spins 1","Slip"),t.rutColour==="sinkage"&&s.terrain.hasRuts&&o("ramp","0",`${ci(1e3*s.terrain.sinkageScale)} mm`,"Sinkage"),t.contours&&s.terrain.hasHeights&&r.push(j("div",{className:"scale"},`Contours every ${ci(s.terrain.contourStep)} m`)),t.contacts&&s.overlays.metresPerNewton>0&&r.push(j("div",{className:"scale"},`Force arrows: 1 m is ${ci(1/s.overlays.metresPerNewton)} N`)),t.surface==="soil"&&r.push(this.soilLegend(s)),e.replaceChildren(...r)}soilLegend(e){let t=e.run.scene?.terrain?.materials??[],n=t.length>0?t.map(s=>s.name):["0","1","2","3"];return j("div",{className:"scale soils"},...n.slice(0,8).map((s,r)=>{let o=j("i",{className:"swatch"});return o.style.setProperty("--c",`#${zh[r%8].toString(16).padStart(6,"0")}`),j("span",{},o,s)}))}tick(e){if(requestAnimationFrame(s=>this.tick(s)),this.host.beforeFrame(e-this.last),this.world.runs.some(s=>s.run.fresh)&&this.touch(),e>this.activeUntil){!this.still&&this.pictures>0&&this.drawStill(),this.last=e;return}this.still=!1;let n=Math.min((e-this.last)/1e3,.25);this.watchSpeed(e-this.last),this.last=e,this.draw(n)}drawStill(){this.still=!0;let e=this.quality;this.quality=0,e>0&&this.draw(0),this.quality=e}still=!1;watchSpeed(e){!this.adaptive||e>1e3||(this.slow=this.slow===0?Math.min(e,mv):.9*this.slow+.1*e,!(this.slow<mv||this.quality===Vh.length-1||this.pictures<10)&&(this.quality++,this.slow=0))}draw(e){let t=this.element.clientWidth,n=this.element.clientHeight;if(t===0||n===0||!this.world.runs.some(r=>r.present))return;this.resize(t,n),this.world.update(r=>this.any(r));let s=this.element.getBoundingClientRect();this.renderer.setClearColor(this.world.background),this.renderer.setScissorTest(!0);for(let r of this.views){let o=r.pane.getBoundingClientRect(),a=this.runOf(r.state.run);if(!a||o.width<2)continue;this.hold&&r.snap(),r.aim(a,e,o.width,o.height),this.world.prepare(this.layersOf(r),h=>YE(r.state.run,h),r.camera,r.metresPerPixel,Vh[this.quality].cell);let[l,c]=[o.left-s.left,s.bottom-o.bottom];this.renderer.setViewport(l,c,o.width,o.height),this.renderer.setScissor(l,c,o.width,o.height),this.renderer.clear(),this.renderer.render(this.world.scene,r.camera)}if(this.pictures++,this.pictures%30===0)for(let r of this.chrome)r.update()}size=new We;resize(e,t){let{ratio:n,shadow:s}=Vh[this.quality],r=n*Math.min(devicePixelRatio,2),o=this.renderer.getSize(this.size);(o.x!==e||o.y!==t||this.renderer.getPixelRatio()!==r)&&(this.renderer.setPixelRatio(r),this.renderer.setSize(e,t,!1)),this.world.sky.setShadowSize(s)}};function YE(i,e){return i==="both"||(i==="b"?1:0)===e}function gv(i){let e=j("canvas",{className:"canvas"}),t={alpha:!1,depth:!0,stencil:!1,powerPreference:"high-performance",preserveDrawingBuffer:!0},n=o=>{try{return e.getContext("webgl2",{...t,...o})}catch{return null}},s=n({antialias:!0,failIfMajorPerformanceCaveat:!0}),r=s??n({antialias:i});return r&&{canvas:e,context:r,software:!s}}var Wh=class{constructor(e){this.source=e;this.track.append(this.seen,this.fill,this.markers,this.knob,this.tip),this.track.setAttribute("aria-label","Time"),this.track.dataset.test="timeline",this.element=j("footer",{className:"timeline"},this.start,this.track,this.end),this.track.addEventListener("pointerdown",t=>{this.pressed=!0,this.track.setPointerCapture(t.pointerId),this.source.seek(this.timeAt(t),!1)}),this.track.addEventListener("pointermove",t=>{this.hover(t),this.pressed&&this.source.seek(this.timeAt(t),!1)}),this.track.addEventListener("pointerup",t=>{this.pressed&&this.source.seek(this.timeAt(t),!0),this.pressed=!1}),this.track.addEventListener("pointerleave",()=>this.tip.hidden=!0)}source;element;track=j("div",{className:"track",tabIndex:0,role:"slider",title:"Drag to look at another moment"});seen=j("div",{className:"seen"});fill=j("div",{className:"fill"});knob=j("div",{className:"knob"});markers=j("div",{className:"markers"});start=j("span",{className:"t0"});end=j("span",{className:"t1"});tip=j("div",{className:"tip",hidden:!0});drawn="";pressed=!1;timeAt(e){let t=this.track.getBoundingClientRect(),[n,s]=this.source.span();return n+(s-n)*Math.min(Math.max((e.clientX-t.left)/t.width,0),1)}hover(e){let t=this.timeAt(e),[n,s]=this.source.span(),r=this.source.events().filter(({event:a})=>Math.abs(a.time-t)<.008*(s-n)).slice(0,4);this.tip.hidden=!1,this.tip.textContent=[Es(t),...r.map(({event:a})=>`${Es(a.time)}  ${a.text}`)].join(`
`);let o=this.track.getBoundingClientRect();this.tip.style.left=`${Math.min(Math.max(e.clientX-o.left,40),o.width-120)}px`}update(){let[e,t]=this.source.span(),[n,s]=this.source.seen(),r=Math.max(t-e,1e-9),o=h=>`${(100*(h-e)/r).toFixed(3)}%`,a=Math.min(Math.max(this.source.time(),e),t);this.fill.style.width=this.knob.style.left=o(a),this.seen.style.left=o(n),this.seen.style.width=`${(100*Math.max(s-n,0)/r).toFixed(3)}%`,this.start.textContent=Es(e),this.end.textContent=Es(t),this.track.setAttribute("aria-valuenow",a.toFixed(3));let l=this.source.events(),c=`${l.length} ${e} ${t.toPrecision(3)}`;c!==this.drawn&&this.drawMarkers(l,o),this.drawn=c}drawMarkers(e,t){this.markers.replaceChildren(...e.slice(-400).map(({event:n})=>{let s=j("i",{className:`marker ${n.kind}`,title:n.text});return s.style.left=t(n.time),s}))}};var Yh=[.1,.25,.5,1,2,5,10,20,0],qh=class{constructor(e){this.host=e;this.pause.dataset.test="pause";for(let s of Yh)this.speed.append(j("option",{value:String(s)},s===0?"max":`${s} ×`));this.speed.onchange=()=>this.host.setSpeed(Number(this.speed.value)),this.live=Ft("Live","Back to the newest moment (L)",()=>e.live(),void 0,"live"),this.gravity=Ft("Gravity","Gravity on or off",()=>e.gravity(),"gravity","toggle"),this.gravity.dataset.test="gravity",this.placing=Ft("Place","Drag the robot to another place; the wheel turns it (M)",()=>e.place(),"hand","toggle"),this.placing.dataset.test="place",this.checkpoint=Ft("Checkpoint","Save the state of the run",()=>e.checkpoint(),"flag"),this.views=this.viewChoice();let t=Ft("","One step (.)",()=>e.step(),"step");t.dataset.test="step";let n=Ft("","Restart (R)",()=>e.restart(),"restart");n.dataset.test="restart",this.element=j("header",{className:"toolbar"},j("span",{className:"brand"},"Rille"),this.title,this.chip,j("div",{className:"group"},n,this.pause,t,this.speed),j("div",{className:"clock"},this.time,this.rate,this.live),j("div",{className:"spacer"}),j("div",{className:"group"},this.placing,this.gravity,this.checkpoint),this.views.element,j("div",{className:"group"},Ft("","Copy a link to this arrangement",()=>e.copyLink(),"link","quiet"),Ft("","Light or dark (D)",()=>e.theme(),"light","quiet"),Ft("","Keys (?)",()=>e.help(),"help","quiet"),Ft("","Panel on and off (X)",()=>e.panel(),"panel","quiet")))}host;element;title=j("span",{className:"title"});chip=j("span",{className:"chip"});pause=Ft("Pause","Pause or go on (space)",()=>this.host.togglePause(),"pause","primary wide");speed=j("select",{title:"Speed (+ and −)",data:{test:"speed"}});time=j("b",{className:"time",data:{test:"time"}});rate=j("span",{className:"rate",title:"How fast the run goes against the clock on the wall"});live;gravity;placing;checkpoint;views;shownPause="";viewChoice(){let e=ws([{value:"1",label:"",title:"One viewport (1)"},{value:"2",label:"",title:"Two viewports (2)"},{value:"4",label:"",title:"Four viewports (4)"}],()=>String(this.host.settings().views),n=>this.host.setViews(Number(n)),"icons"),t=["one","two","four"];return e.element.querySelectorAll("button").forEach((n,s)=>n.append(lh(t[s]))),e.element.dataset.test="views",e}chipText(e,t){let{host:n}=this;return n.past()?["Past","still"]:e&&/duration|end of/.test(e)?["Finished","replay"]:e?[`Stopped: ${e}`,"bad"]:n.replay()?["Replay","replay"]:t?["Paused","still"]:["Live","go"]}update(){let{host:e}=this,t=e.paused(),n=e.stopped(),s=n!==null&&!e.replay(),r=s?"Again":t?e.replay()?"Play":"Run":"Pause";r!==this.shownPause&&(this.pause.replaceChildren(lh(s?"restart":t?"play":"pause"),j("span",{},r)),this.pause.setAttribute("aria-label",r),this.shownPause=r),Xh(this.title,e.title());let[o,a]=this.chipText(n,t);Xh(this.chip,o),this.chip.className=`chip ${a}`,this.chip.title=n??"",Xh(this.time,Es(e.time())),Xh(this.rate,t||e.rtf()<=0?"":`${ci(Number(e.rtf().toPrecision(2)))} × real time`),this.live.hidden=!e.past(),this.live.classList.toggle("pulse",e.past()),this.gravity.setAttribute("aria-pressed",String(e.gravityOn())),this.placing.setAttribute("aria-pressed",String(e.placing())),this.gravity.disabled=this.placing.disabled=this.checkpoint.disabled=e.replay(),document.activeElement!==this.speed&&(this.speed.value=String($E(e.speed()))),this.views.update()}};function $E(i){return i<=0?0:Yh.filter(e=>e>0).reduce((e,t)=>Math.abs(Math.log(t/i))<Math.abs(Math.log(e/i))?t:e)}function Xh(i,e){i.textContent!==e&&(i.textContent=e)}var ZE=120,JE=24,$h=class{constructor(e){this.source=e;this.input.setAttribute("aria-label","Search values"),this.input.dataset.test="value-search",this.input.oninput=()=>this.fill(),this.input.onkeydown=n=>this.key(n),this.only.onchange=()=>this.fill(),this.runPick.onchange=()=>{this.run=Number(this.runPick.value),this.fill()};let t=j("label",{className:"check",title:"Parameters and inputs"},this.only,"only what can be set");this.element=j("div",{className:"tab-body values"},this.input,j("div",{className:"row"},t,this.runPick),this.reply,this.list,this.count)}source;element;input=j("input",{type:"search",placeholder:"Search values, or  name = 20 deg",spellcheck:!1,autocomplete:"off"});reply=j("p",{className:"reply",hidden:!0,data:{test:"set-reply"}});list=j("div",{className:"value-list"});count=j("p",{className:"hint"});only=j("input",{type:"checkbox"});rows=[];run=0;runPick=j("select",{title:"Which run"});asking=!1;reset(){this.runPick.replaceChildren(...Array.from({length:this.source.runs()},(e,t)=>j("option",{value:String(t)},t===0?"run A":"run B"))),this.runPick.hidden=this.source.runs()<2,this.fill()}search(e){this.input.value=e,this.fill(),this.input.focus()}key(e){if(e.stopPropagation(),e.key==="Escape"&&this.input.blur(),e.key!=="Enter")return;let t=/^\s*(\S+)\s*=\s*(.+?)\s*$/.exec(this.input.value);t?this.set(t[1],t[2]):this.rows.length>0&&this.toggle(this.rows[0])}async set(e,t){let n=await this.source.set(this.run,e,t);this.reply.hidden=!1,this.reply.className=n.ok?"reply ok":"reply bad",this.reply.textContent=n.text||(n.ok?`${e} is set`:"not done"),await this.ask()}fill(){let e=this.input.value.split("=")[0].trim(),t=this.source.values(this.run);this.only.checked&&(t=t.filter(r=>r.writable));let n=Tf(t,e,ZE);this.rows=n.hits.map(r=>this.makeRow(r)),this.list.replaceChildren(...this.rows.map(r=>r.element));let s=n.total-n.hits.length;this.count.textContent=n.total===0?"No value has such a name.":s>0?`${s} more: type on`:"",this.ask()}makeRow(e){let t=j("b",{},""),n=j("button",{type:"button",className:"value-head",title:e.doc},j("span",{},e.name),t,j("em",{},e.unit)),s=Ft("",`Plot ${e.name}`,()=>this.source.plot(e.name),"plus","quiet tiny");s.title="Plot this value";let r=j("div",{className:`value ${e.writable?"writable":""}`,data:{name:e.name}},j("div",{className:"row"},n,s)),o={value:e,element:r,shown:t,open:!1};return n.onclick=()=>this.toggle(o),o}toggle(e){if(e.open=!e.open,e.element.querySelector(".value-more")?.remove(),!e.open)return;let t=j("div",{className:"value-more"},j("p",{},e.value.doc||"No description."),j("p",{className:"hint"},e.value.kind));e.value.writable&&t.append(this.form(e.value)),e.element.append(t),t.querySelector("input")?.focus()}form(e){let t=j("input",{type:"text",placeholder:e.unit?`new value, e.g. 0.5 ${e.unit}`:"new value",spellcheck:!1});t.setAttribute("aria-label",`New value of ${e.name}`),t.onkeydown=s=>s.stopPropagation();let n=j("form",{className:"row"},t,j("button",{type:"submit",className:"primary"},"Set"));return n.onsubmit=s=>{s.preventDefault(),t.value.trim()&&this.set(e.name,t.value.trim())},n}async ask(){if(this.asking||this.element.offsetParent===null)return;this.asking=!0;let e=this.list.getBoundingClientRect(),t=this.rows.filter(n=>{let s=n.element.getBoundingClientRect();return s.bottom>e.top&&s.top<e.bottom});await Promise.all(t.slice(0,JE).map(n=>this.askRow(n))),this.asking=!1}async askRow(e){let t=await this.source.get(this.run,e.value.name),n=typeof t.value=="number"?ci(t.value):t.value===void 0||t.value===null?"":String(t.value);e.shown.textContent=t.ok?n:""}};var Uf=16734780,KE=16765503,jE=11562239,Lo=class{constructor(e){this.object=e;e.frustumCulled=!1,this.reserve(64)}object;capacity=0;position;color;count=0;reserve(e){if(e<=this.capacity)return;let t=Math.max(this.capacity,64);for(;t<e;)t*=2;let n=new at(new Float32Array(t*3),3).setUsage(mo),s=new at(new Float32Array(t*3),3).setUsage(mo);this.capacity>0&&(n.array.set(this.position.array),s.array.set(this.color.array)),this.object.geometry.dispose(),this.object.geometry=new vt,this.object.geometry.setAttribute("position",n).setAttribute("color",s),this.position=n,this.color=s,this.capacity=t}point(e,t,n,s){this.reserve(this.count+1),this.position.setXYZ(this.count,e,t,n),this.color.setXYZ(this.count++,s.r,s.g,s.b)}done(){this.object.geometry.setDrawRange(0,this.count),this.position.needsUpdate=!0,this.color.needsUpdate=!0}},Df=()=>new $n({vertexColors:!0}),Ff=class{group=new bt;shaft;head;dots;m=new lt;q=new on;p=new k;d=new k;s=new k;z=new k(0,0,1);capacity=32;red=new ai({color:Uf,depthTest:!1});constructor(){[this.shaft,this.head,this.dots]=this.make()}make(){let e=this.red,t=new ai({color:KE}),n=new Gs(1,1,1,10,1).rotateX(Math.PI/2).translate(0,0,.5),s=new ya(1,1,16).rotateX(Math.PI/2).translate(0,0,.5),r=[new ys(n,e,this.capacity),new ys(s,e,this.capacity),new ys(new xi(1,14,10),t,this.capacity)];for(let o of r)o.frustumCulled=!1,o.renderOrder=20,this.group.add(o);return r}set(e,t,n){if(e.contacts>this.capacity){for(;this.capacity<e.contacts;)this.capacity*=2;this.group.clear(),[this.shaft,this.head,this.dots]=this.make()}let s=.0055*n;this.red.color.set(e.pulls?jE:Uf);for(let r=0;r<e.contacts;r++){this.p.fromArray(e.contact,6*r),this.d.fromArray(e.contact,6*r+3);let o=this.d.length()*t;this.q.setFromUnitVectors(this.z,o>0?this.d.normalize():this.z);let a=Math.min(5*s,.45*o);this.s.set(s,s,Math.max(o-a,1e-9)),this.shaft.setMatrixAt(r,this.m.compose(this.p,this.q,this.s)),this.s.set(1.5*s,1.5*s,1.5*s),this.dots.setMatrixAt(r,this.m.compose(this.p,this.q,this.s)),this.p.addScaledVector(this.d,o-a),this.s.set(.5*a,.5*a,Math.max(a,1e-9)),this.head.setMatrixAt(r,this.m.compose(this.p,this.q,this.s))}for(let r of[this.shaft,this.head,this.dots])r.count=e.contacts,r.instanceMatrix.needsUpdate=!0}},Jh=class{group=new bt;frames=new bt;labels=new bt;contacts;tethers=new bt;tracks=new bt;support=new bt;com=new bt;arrows=new Ff;axes=new Lo(new Zn(new vt,Df()));ropes=new Lo(new Zn(new vt,Df()));prints;hull=new Lo(new Zn(new vt,Df()));centre;pressed=new Set;names=[];peak=0;weight=0;metresPerNewton=0;seenContacts=!1;seenSprings=!1;constructor(){this.contacts=this.arrows.group,this.prints=new Lo(new ar(new vt,new _s({vertexColors:!0,size:.05,transparent:!0,opacity:.8,depthWrite:!1}))),this.frames.add(this.axes.object),this.tethers.add(this.ropes.object),this.tracks.add(this.prints.object),this.support.add(this.hull.object),this.centre=new At(new xi(1,20,14),new ai({color:1688445,depthTest:!1})),this.centre.renderOrder=20,this.com.add(this.centre);for(let e of[this.axes,this.hull])e.object.material.depthTest=!1;for(let e of[this.axes,this.hull])e.object.renderOrder=20;this.group.add(this.frames,this.labels,this.contacts,this.tethers,this.tracks,this.support,this.com)}reset(e){for(let t of this.labels.children)t.material.map.dispose();this.labels.clear(),this.names=e,this.forget()}forget(){this.prints.count=0,this.pressed.clear(),this.prints.done()}record(e){e.pulls||(e.contacts>0&&(this.seenContacts=!0),e.springs>0&&(this.seenSprings=!0),this.recordTracks(e))}recordTracks(e){let n=this.prints.count;for(let s=0;s<e.contacts;s++){let[r,o,a]=[e.contact[6*s],e.contact[6*s+1],e.contact[6*s+2]],l=Math.round(r/.03)*4000037+Math.round(o/.03);this.pressed.has(l)||this.prints.count>4e5||(this.pressed.add(l),this.prints.point(r,o,a+.012,rs.set(2825492)))}this.prints.count>n&&this.prints.done()}update(e,t,n){this.frames.visible&&this.drawAxes(e,.12*t),this.labels.visible&&this.placeLabels(e),this.contacts.visible&&this.drawForces(e,t),this.tethers.visible&&this.drawRopes(e),this.support.visible&&this.drawHull(e),n&&(this.centre.position.copy(n),this.centre.scale.setScalar(.02*t)),this.centre.visible=n!==null}drawAxes(e,t){this.axes.count=0;for(let n=0;n<e.bodies;n++){el.fromArray(e.position,3*n),vv.fromArray(e.quaternion,4*n);for(let s=0;s<3;s++)Zh.set(s===0?t:0,s===1?t:0,s===2?t:0).applyQuaternion(vv).add(el),rs.set(s===0?15878492:s===1?4177759:4884223),this.axes.point(el.x,el.y,el.z,rs),this.axes.point(Zh.x,Zh.y,Zh.z,rs)}this.axes.done()}placeLabels(e){if(this.labels.children.length===0)for(let t of this.names)this.labels.add(t1(t));this.labels.children.forEach((t,n)=>{t.visible=n<e.bodies,t.visible&&t.position.fromArray(e.position,3*n)})}drawForces(e,t){let n=0;for(let s=0;s<e.contacts;s++)n=Math.max(n,Math.hypot(e.contact[6*s+3],e.contact[6*s+4],e.contact[6*s+5]));this.peak=Math.max(n,.995*this.peak),this.peak>0&&(this.metresPerNewton=.55*t/Qa(Math.max(this.peak,.05*this.weight))),this.arrows.set(e,this.metresPerNewton,t)}drawRopes(e){let t=1e-9;for(let n=0;n<e.springs;n++)t=Math.max(t,Math.abs(e.spring[7*n+6]));this.ropes.count=0;for(let n=0;n<e.springs;n++){let s=e.spring.subarray(7*n,7*n+7);rs.set(8028296).lerp(QE,Math.min(1,Math.abs(s[6])/t)),this.ropes.point(s[0],s[1],s[2],rs),this.ropes.point(s[3],s[4],s[5],rs)}this.ropes.done()}drawHull(e){let t=[];for(let s=0;s<e.contacts;s++)e.contact[6*s+5]>0&&t.push(new k().fromArray(e.contact,6*s));let n=e1(t);this.hull.count=0,rs.set(1688445),n.forEach((s,r)=>{let o=n[(r+1)%n.length];this.hull.point(s.x,s.y,s.z,rs),this.hull.point(o.x,o.y,o.z,rs)}),this.hull.done()}},rs=new Be,QE=new Be(Uf),el=new k,Zh=new k,vv=new on;function e1(i){let e=[...i].sort((n,s)=>n.x-s.x||n.y-s.y);if(e.length<3)return e;let t=n=>{let s=[];for(let r of n){for(;s.length>=2;){let[o,a]=[s[s.length-2],s[s.length-1]];if((a.x-o.x)*(r.y-o.y)-(a.y-o.y)*(r.x-o.x)>0)break;s.pop()}s.push(r)}return s.pop(),s};return[...t(e),...t(e.reverse())]}function t1(i){let e=document.createElement("canvas"),t=e.getContext("2d"),n="500 26px system-ui, sans-serif";t&&(t.font=n),e.width=Math.ceil(t?.measureText(i).width??100)+20,e.height=40,t&&(t.font=n,t.fillStyle="rgba(16, 20, 26, 0.72)",t.beginPath(),t.roundRect(0,0,e.width,e.height,8),t.fill(),t.fillStyle="#ffffff",t.textBaseline="middle",t.fillText(i,10,21));let s=new pa(e);s.colorSpace=nn;let r=new ua(new oo({map:s,depthTest:!1,sizeAttenuation:!1}));return r.scale.set(.03*e.width/e.height,.03,1),r.center.set(0,-.4),r.renderOrder=30,r}var Of=13041469,Bf=1451018,n1=16777215,kf=.15,i1=400;function zf(i){return Math.min(Math.max(.035*i,.008),.2)}function xv(i,e){let t=[];for(let n=0;n+1<i.length;n++){let[[s,r],[o,a]]=[i[n],i[n+1]],l=Math.min(i1,Math.max(1,Math.ceil(Math.hypot(o-s,a-r)/e)));for(let c=0;c<l;c++)t.push([s+(o-s)*c/l,r+(a-r)*c/l])}return i.length>0&&t.push(i[i.length-1]),t}function Kh(i){let e=[];for(let t=0;t+1<i.length;t+=2)e.push([i[t],i[t+1]]);return e}function s1(i){let e=Kh(i.waypoints);if(i.goal<1)return e;let t=Kh(i.motion);return[t.length>0&&i.driving?t[t.length-1]:e[i.goal-1],...e.slice(i.goal)]}var jh=class{group=new bt;bright=br(Of,1);pale=br(Of,.45);edge=br(Bf,.55);goal=br(n1,1);line=new $n({color:Of,toneMapped:!1});draw(e,t,n){this.clear();let s=zf(t),r=(o,a)=>{let l=n(o,a);return Number.isNaN(l)?0:l};for(let o of e){let a=o.driving?this.bright:this.pale;this.band(xv(Kh(o.motion),kf*t),s,a,0,r),this.band(xv(s1(o),kf*t),.6*s,a,kf*t,r),Kh(o.waypoints).forEach(([l,c],h)=>{let u=o.driving&&h+1===o.goal,d=o.driving&&h+1>=o.goal&&o.goal>0;this.mark(l,c,(u?3.2:2)*s,u,d?this.bright:this.pale,r),u&&this.pole(l,c,r(l,c),s,.8*t)})}}clear(){for(let e of this.group.children)e.geometry.dispose();this.group.clear()}band(e,t,n,s,r){if(e.length<2)return;this.add(Qh(e,1.7*t,.12*t,s,r),this.edge,10);let o=Qh(e,t,.3*t,s,r);this.add(o,n,11),this.group.add(new Zn(Hf(o),this.line))}mark(e,t,n,s,r,o){let a=(l,c,h,u)=>{let d=new xa(l,32).translate(e,t,0),f=d.getAttribute("position");for(let g=0;g<f.count;g++)f.setZ(g,o(f.getX(g),f.getY(g))+c);this.add(d,h,u)};a(1.25*n,.1*n,this.edge,12),a(n,.15*n,r,13),s&&a(.45*n,.2*n,this.goal,14)}pole(e,t,n,s,r){let o=new Gs(.22*s,.22*s,r,10).rotateX(Math.PI/2).translate(e,t,n+r/2),a=new xi(.9*s,18,12).translate(e,t,n+r);this.add(o,this.goal,15),this.add(a,this.bright,15)}add(e,t,n){let s=new At(e,t);s.renderOrder=n,s.matrixAutoUpdate=!1,this.group.add(s)}};function br(i,e){return new ai({color:i,opacity:e,transparent:!0,depthWrite:!1,side:Pn,polygonOffset:!0,polygonOffsetFactor:-2,polygonOffsetUnits:-8,toneMapped:!1})}function Qh(i,e,t,n,s,r){let o=(u,d,f)=>{let g=s(u,d);return Number.isNaN(g)?r?.[f]??0:g},a=new Float32Array(i.length*6),l=[],c=0;i.forEach(([u,d],f)=>{let[g,y]=i[Math.max(f-1,0)],[m,p]=i[Math.min(f+1,i.length-1)],_=Math.hypot(m-g,p-y)||1,[A,M]=[-(p-y)/_*.5*e,(m-g)/_*.5*e];if(a.set([u+A,d+M,o(u+A,d+M,f)+t,u-A,d-M,o(u-A,d-M,f)+t],6*f),f===0)return;let C=n===0||Math.floor(c/n)%2===0;c+=Math.hypot(u-i[f-1][0],d-i[f-1][1]),C&&l.push(2*f-2,2*f-1,2*f+1,2*f-2,2*f+1,2*f)});let h=new vt;return h.setAttribute("position",new at(a,3)),h.setIndex(l),h}function Hf(i){let e=i.getIndex(),t=[];for(let s=0;e&&s<e.count;s+=6)t.push(e.getX(s),e.getX(s+5));let n=new vt;return n.setAttribute("position",i.getAttribute("position")),n.setIndex(t),n}var tl=new k;function wi(i,e,t,n,s,r){let o=2*Math.PI*s/4,a=Math.max(r-2*s,0),l=Math.PI/4;tl.copy(e),tl[n]=0,tl.normalize();let c=.5*o/(o+a),h=1-tl.angleTo(i)/l;return Math.sign(tl[t])===1?h*c:a/(o+a)+c+c*(1-h)}var eu=class i extends Vs{constructor(e=1,t=1,n=1,s=2,r=.1){let o=s*2+1;if(r=Math.min(e/2,t/2,n/2,r),super(1,1,1,o,o,o),this.type="RoundedBoxGeometry",this.parameters={width:e,height:t,depth:n,segments:s,radius:r},o===1)return;let a=this.toNonIndexed();this.index=null,this.attributes.position=a.attributes.position,this.attributes.normal=a.attributes.normal,this.attributes.uv=a.attributes.uv;let l=new k,c=new k,h=new k(e,t,n).divideScalar(2).subScalar(r),u=this.attributes.position.array,d=this.attributes.normal.array,f=this.attributes.uv.array,g=u.length/6,y=new k,m=.5/o;for(let p=0,_=0;p<u.length;p+=3,_+=2)switch(l.fromArray(u,p),c.copy(l),c.x-=Math.sign(c.x)*m,c.y-=Math.sign(c.y)*m,c.z-=Math.sign(c.z)*m,c.normalize(),u[p+0]=h.x*Math.sign(l.x)+c.x*r,u[p+1]=h.y*Math.sign(l.y)+c.y*r,u[p+2]=h.z*Math.sign(l.z)+c.z*r,d[p+0]=c.x,d[p+1]=c.y,d[p+2]=c.z,Math.floor(p/g)){case 0:y.set(1,0,0),f[_+0]=wi(y,c,"z","y",r,n),f[_+1]=1-wi(y,c,"y","z",r,t);break;case 1:y.set(-1,0,0),f[_+0]=1-wi(y,c,"z","y",r,n),f[_+1]=1-wi(y,c,"y","z",r,t);break;case 2:y.set(0,1,0),f[_+0]=1-wi(y,c,"x","z",r,e),f[_+1]=wi(y,c,"z","x",r,n);break;case 3:y.set(0,-1,0),f[_+0]=1-wi(y,c,"x","z",r,e),f[_+1]=1-wi(y,c,"z","x",r,n);break;case 4:y.set(0,0,1),f[_+0]=1-wi(y,c,"x","y",r,e),f[_+1]=1-wi(y,c,"y","x",r,t);break;case 5:y.set(0,0,-1),f[_+0]=wi(y,c,"x","y",r,e),f[_+1]=1-wi(y,c,"y","x",r,t);break}}static fromJSON(e){return new i(e.width,e.height,e.depth,e.segments,e.radius)}};var r1=14475234,o1=10134445,a1=6975609,l1=11635967,nu=i=>/wheel|tyre|tire|screw|track/i.test(i),tu=class{constructor(e){this.source=e;this.group.add(this.ornaments)}source;group=new bt;ornaments=new bt;names=[];masses=[];parents=[];lowest=0;rise=0;size=1;ready=Promise.resolve();hasOrnaments=!1;physical=[];batches=[];box=new qn;matrix=new lt;pose=new lt;p=new k;q=new on;one=new k(1,1,1);touched=new k;build(e,t){this.clear(),this.names=e.map(r=>r.name),this.parents=e.map(r=>h1(r,e)),this.masses=e.flatMap((r,o)=>r.mass?[{body:o,mass:r.mass,com:new k().fromArray(r.com??[0,0,0])}]:[]),this.physical=e.map(r=>r.ornament!==!0),this.hasOrnaments=e.some(r=>r.ornament===!0);let n=new Map;e.forEach((r,o)=>{for(let a of r.visuals){let l=u1(a,r),c=n.get(l);c||n.set(l,c={visual:a,body:r,slots:[],colours:[]}),c.slots.push({body:o,local:d1(a)}),c.colours.push(f1(a,r,o,t))}});let s=[];for(let r of n.values())s.push(this.addBatch(r.visual,r.body,r.slots,r.colours));this.ready=Promise.all(s).then(()=>{})}update(e,t){for(let n of this.batches)n.slots.forEach((s,r)=>{s.body>=e.bodies||(this.bodyMatrix(e,s.body,this.pose),t&&this.pose.premultiply(t),n.mesh.setMatrixAt(r,this.matrix.multiplyMatrices(this.pose,s.local)))}),n.mesh.instanceMatrix.needsUpdate=!0,n.mesh.boundingSphere=null}bodyMatrix(e,t,n){return this.p.fromArray(e.position,3*t),this.q.fromArray(e.quaternion,4*t),n.compose(this.p,this.q,this.one)}centre(e,t){this.box.makeEmpty();for(let n=0;n<Math.min(e.bodies,this.physical.length);n++)this.physical[n]&&this.box.expandByPoint(this.touched.fromArray(e.position,3*n));return this.box.isEmpty()?t.fromArray(e.position,0):this.box.getCenter(t)}get hasMass(){return this.masses.length>0}centreOfMass(e,t){let n=0;t.set(0,0,0);for(let{body:s,mass:r,com:o}of this.masses)s>=e.bodies||(this.q.fromArray(e.quaternion,4*s),this.p.fromArray(e.position,3*s).add(this.touched.copy(o).applyQuaternion(this.q)),t.addScaledVector(this.p,r),n+=r);return t.divideScalar(n||1)}measure(e){let t=this.centre(e,new k),n=.05,s=-1/0;this.lowest=1/0;for(let r of this.batches){if(r.ornament)continue;r.mesh.geometry.computeBoundingSphere(),r.mesh.geometry.computeBoundingBox();let o=r.mesh.geometry.boundingSphere,a=r.mesh.geometry.boundingBox;for(let l of r.slots)l.body>=e.bodies||!o||(this.bodyMatrix(e,l.body,this.pose).multiply(l.local),a&&(this.box.copy(a).applyMatrix4(this.pose),this.lowest=Math.min(this.lowest,this.box.min.z),s=Math.max(s,this.box.max.z)),n=Math.max(n,o.center.clone().applyMatrix4(this.pose).distanceTo(t)+o.radius*l.local.getMaxScaleOnAxis()))}this.size=Math.min(n,1e5),Number.isFinite(this.lowest)||(this.lowest=0),this.rise=Number.isFinite(s)?(this.lowest+s)/2-t.z:0}pick(e){let t=null,n=1/0;for(let s of this.batches)for(let r of e.intersectObject(s.mesh,!1))r.distance>=n||r.instanceId===void 0||(n=r.distance,t={body:s.slots[r.instanceId].body,point:r.point});return t}clear(){for(let e of this.batches)e.mesh.removeFromParent(),e.mesh.dispose();this.batches=[]}async addBatch(e,t,n,s){let r=e.shape==="mesh"?await this.load(e):m1(e,nu(t.name));if(!r)return;let o=t.ornament===!0,a=new ys(r,p1(e,t),n.length);a.castShadow=a.receiveShadow=!o,a.frustumCulled=!1,s.forEach((l,c)=>a.setColorAt(c,l)),this.batches.push({mesh:a,slots:n,ornament:o}),(o?this.ornaments:this.group).add(a)}async load(e){try{let t=Lh(new DataView(await this.source(e.mesh??0)),0),n=new vt;return n.setAttribute("position",new at(t.position,3)),n.setIndex(new at(t.index,1)),c1(n)}catch{return null}}};function c1(i){let e=i.toNonIndexed();e.computeVertexNormals();let t=e.getAttribute("normal"),n=i.getIndex();if(!n||n.count>6e5)return e;let s=Array.from({length:i.getAttribute("position").count},()=>[]);for(let c=0;c<n.count;c++)s[n.getX(c)].push(c);let r=new Float32Array(n.count*3),o=new k,a=new k,l=new k;for(let c=0;c<n.count;c++){a.fromBufferAttribute(t,c),l.set(0,0,0);for(let h of s[n.getX(c)])o.fromBufferAttribute(t,h),o.dot(a)>.82&&l.add(o);l.normalize().toArray(r,3*c)}return e.setAttribute("normal",new at(r,3)),e}function h1(i,e){return typeof i.parent=="number"?i.parent:i.parent===null?-1:e.findIndex(t=>t.name===i.parent)}function u1(i,e){let t=(i.colour?.[3]??1)>=1,n=i.shape==="mesh"?[i.mesh]:i.size;return[i.shape,n?.join(","),t,nu(e.name),e.ornament===!0].join("|")}function d1(i){let[e,t,n]=i.position??[0,0,0],[s,r,o,a]=i.quaternion??[1,0,0,0],[l,c,h]=i.shape==="mesh"?i.scale??[1,1,1]:[1,1,1];return new lt().compose(new k(e,t,n),new on(r,o,a,s).normalize(),new k(l,c,h))}function f1(i,e,t,n){let s=new Be;return e.ornament?s.set(l1):(i.colour?s.setRGB(i.colour[0],i.colour[1],i.colour[2],nn):nu(e.name)?s.set(a1):s.set(t===0?r1:o1).offsetHSL(0,0,t%2===0?.02:-.03),n!==null&&s.lerp(new Be(n),.55),s)}function p1(i,e){let t=i.colour?.[3]??1,n=nu(e.name),s=e.ornament?.4:t;return new Ma({roughness:n?.75:.48,metalness:n?.15:.22,transparent:s<1,opacity:s,depthWrite:s>=1,side:i.shape==="mesh"?Pn:es,vertexColors:i.shape==="cylinder"&&n})}function m1(i,e){let t=i.size??[];switch(i.shape){case"box":{let[n,s,r]=[t[0]??.1,t[1]??.1,t[2]??.1];return new eu(n,s,r,2,.07*Math.min(n,s,r))}case"sphere":return new xi(t[0]??.05,64,40);case"capsule":return new va(t[0]??.05,t[1]??.1,10,28).rotateX(Math.PI/2);default:return g1(t[0]??.05,t[1]??.1,e)}}var yv=72;function g1(i,e,t){let n=.12*Math.min(i,e/2),s=e/2,o=[[0,-s],[i-n,-s],[i,n-s],[i,s-n],[i-n,s],[0,s]].flatMap(([u,d])=>[new We(u,d),new We(u,d)]).slice(1,-1),a=new _a(o,yv).rotateX(Math.PI/2).toNonIndexed();if(a.computeVertexNormals(),v1(a),!t)return a;let l=a.getAttribute("position"),c=a.getAttribute("normal"),h=new Float32Array(l.count*3);for(let u=0;u<l.count;u+=3){let d=l.getX(u)+l.getX(u+1)+l.getX(u+2),f=l.getY(u)+l.getY(u+1)+l.getY(u+2),g=Math.floor((Math.atan2(f,d)/(2*Math.PI)+1)%1*yv),y=Math.abs(c.getZ(u))<.99;h.fill(y?g%4===0?.75:1.25:g%12<3?1.5:1,3*u,3*u+9)}return a.setAttribute("color",new at(h,3)),a}function v1(i){let e=i.getAttribute("position"),t=i.getAttribute("normal");for(let n=0;n<t.count;n++){let s=t.getZ(n);if(Math.abs(s)>.99)continue;let r=e.getX(n),o=e.getY(n),a=Math.hypot(r,o),l=Math.sqrt(1-s*s);a>0&&t.setXYZ(n,r/a*l,o/a*l,s)}}var _v=96;function x1(i,e){let t=e?i:1-i,n=[[46,140,87],[237,214,77],[232,122,41],[189,31,43]],s=Math.min(Math.max(t,0),1)*3,r=Math.min(Math.floor(s),2),[o,a,l]=[0,1,2].map(c=>Math.round(n[r][c]+(s-r)*(n[r+1][c]-n[r][c])));return[o,a,l,e?Math.round(60+160*t):150]}function y1(i){let e=4*Math.min(Math.max(i,0),1),t=n=>Math.min(Math.max(n,0),1);return[t(2-e),t(Math.min(e,4-e)),t(e-2)]}function _1(i){let e=Float32Array.from(i).sort(),t=Math.max(e[Math.floor(.98*(e.length-1))]??0,.001),n=new Float32Array(3*i.length);return i.forEach((s,r)=>n.set(y1(s/t),3*r)),n}function Mv({rays:i}){let e=i.length/4,t=[];for(let n=0;n<e;n++){let s=(n+1)%e;i[4*n+3]!==1||i[4*s+3]!==1||t.push([...i.subarray(4*n,4*n+3),...i.subarray(4*s,4*s+3)])}return t}var iu=class{points=new bt;sights=new bt;sheets=Rs.map(()=>new bt);clouds=new Map;maps=[];laid=[];seen=new Map;setPoints({name:e,position:t,range:n}){let s=this.clouds.get(e);if(s?.geometry.dispose(),s?.removeFromParent(),this.clouds.delete(e),t.length===0)return;let r=new vt;r.setAttribute("position",new at(t,3)),n&&r.setAttribute("color",new at(_1(n),3));let o=new ar(r,n?b1:A1);this.clouds.set(e,o),this.points.add(o)}setSight(e,t,n){let s=this.seen.get(e.name);for(let o of s?.children??[])o.geometry.dispose();s?.removeFromParent();let r=new bt;r.add(bv(E1(e,t),M1)),r.add(bv(Mv(e).map(o=>o.map((a,l)=>l%3===2?a+n:a)),S1)),r.add(T1(e,n)),this.seen.set(e.name,r),this.sights.add(r)}setMap(e){this.maps[e.what]=e,this.laid[e.what]=void 0}has(e){return e==="sights"?this.seen.size>0:e==="lidar"?this.clouds.size>0:this.maps[Rs.indexOf(e)]!==void 0}draw(e,t,n){this.sheets.forEach((s,r)=>{let o=this.maps[r];if(!(!o||this.laid[r]===e)){this.laid[r]=e;for(let a of s.children)a.geometry.dispose(),a.material.map?.dispose(),a.material.dispose();s.clear(),s.add(R1(o,Rs[r]!=="goodness",t,n))}})}},b1=new _s({vertexColors:!0,size:2.5,sizeAttenuation:!1,toneMapped:!1}),M1=new $n({color:15769632,toneMapped:!1}),S1=new $n({color:16762976,toneMapped:!1}),w1=new ai({color:16762976,transparent:!0,opacity:.18,side:Pn,depthWrite:!1,toneMapped:!1});function bv(i,e){let t=new vt;return t.setAttribute("position",new at(new Float32Array(i.flat()),3)),new Zn(t,e)}function E1({eye:i,rays:e},t){let n=e.length/16,s=new k(...i),r=[0,1,2,3].map(a=>{let l=4*a*n;if(e[l+3]===-1)return null;let c=new k(e[l],e[l+1],e[l+2]).sub(s);return c.setLength(Math.min(c.length(),t)).add(s)}),o=[];return r.forEach((a,l)=>{let c=r[(l+1)%4];a&&o.push([...i,...a.toArray()]),a&&c&&o.push([...a.toArray(),...c.toArray()])}),o}function T1(i,e){let t=Mv(i),n=new vt,s=t.length===i.rays.length/4,r=[0,1,2].map(l=>t.reduce((c,h)=>c+h[l],0)/Math.max(t.length,1)),o=s?t.flatMap(l=>[...r,...l]):[];n.setAttribute("position",new at(new Float32Array(o.map((l,c)=>c%3===2?l+e:l)),3));let a=new At(n,w1);return a.renderOrder=8,a}var A1=new _s({color:3531007,size:2.5,sizeAttenuation:!1,toneMapped:!1});function R1(i,e,t,n){let[s,r]=[i.nx*i.cell,i.ny*i.cell],o=new Ni(s,r,Math.min(i.nx,_v),Math.min(i.ny,_v));o.translate(i.x0+s/2,i.y0+r/2,0);let a=o.getAttribute("position");for(let u=0;u<a.count;u++){let d=n(a.getX(u),a.getY(u));a.setZ(u,(Number.isNaN(d)?0:d)+t)}let l=new Uint8Array(4*i.nx*i.ny);i.value.forEach((u,d)=>{u<255&&l.set(x1(u/254,e),4*d)});let c=new Li(l,i.nx,i.ny);c.colorSpace=nn,c.needsUpdate=!0;let h=new At(o,new ai({map:c,transparent:!0,depthWrite:!1,toneMapped:!1,polygonOffset:!0,polygonOffsetFactor:-1,polygonOffsetUnits:-4}));return h.renderOrder=e?7:6,h}var C1=`
varying vec3 vDirection;
void main() {
  vDirection = position;
  vec4 p = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
  gl_Position = p.xyww;
}`,P1=`
uniform vec3 uZenith, uHorizon, uSun, uDirection;
uniform float uStars, uDisc;
varying vec3 vDirection;
float hash(vec3 p) { return fract(sin(dot(p, vec3(12.9898, 78.233, 45.164))) * 43758.5453); }
void main() {
  vec3 d = normalize(vDirection);
  float up = clamp(d.z, 0.0, 1.0);
  vec3 colour = mix(uHorizon, uZenith, pow(up, 0.55));
  colour *= 1.0 + 0.35 * min(d.z, 0.0);
  float towards = max(dot(d, uDirection), 0.0);
  colour += uDisc * uSun * (0.18 * pow(towards, 24.0) + 0.3 * pow(towards, 300.0)) * (1.0 - 0.8 * uStars);
  colour += uDisc * uSun * 3.0 * smoothstep(0.99988, 0.99995, towards);
  if (uStars > 0.0) {
    vec3 cell = floor(d * 160.0);
    vec3 centre = (cell + 0.5) / 160.0;
    float bright = hash(cell);
    float spot = smoothstep(0.0022, 0.0004, length(d - normalize(centre)));
    colour += uStars * vec3(spot * step(0.985, bright) * (0.25 + 0.75 * hash(cell + 7.0)));
  }
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`,su=class{group=new bt;sun=new Ca(16777215,2.5);sky=new Ea(16777215,8947848,1);lamp=new Ra(16777215,0,0,1.2);dome;uniforms={uZenith:{value:new Be},uHorizon:{value:new Be},uSun:{value:new Be},uDirection:{value:new k(0,0,1)},uStars:{value:0},uDisc:{value:1}};reach=0;right=new k;top=new k;constructor(){let e=new yi({uniforms:this.uniforms,vertexShader:C1,fragmentShader:P1,side:Nn,depthWrite:!1});this.dome=new At(new xi(1,48,32),e),this.dome.frustumCulled=!1,this.dome.renderOrder=10,this.sun.castShadow=!0,this.sun.shadow.mapSize.set(2048,2048),this.sun.shadow.bias=-4e-4,this.group.add(this.dome,this.sun,this.sun.target,this.sky,this.lamp)}horizon=new Be;set(e,t,n){let s=t?.azimuth??2.4,r=t?.elevation??.75;this.uniforms.uDirection.value.set(Math.sin(s)*Math.cos(r),Math.cos(s)*Math.cos(r),Math.sin(r));let a=e.air>0?.2:.015,l=ki.clamp((r+a)/(1.6*a),0,1),c=e.air>0?l*(.5+.5*ki.clamp(r/.35,0,1)):l,h=e.air>0?Math.exp(-Math.max(r,0)/.14):0;this.uniforms.uZenith.value.set(e.zenith).multiplyScalar(.03+.97*c),this.horizon.set(e.horizon).lerp(Vf.set(e.low),.35*h*l).multiplyScalar(.04+.96*c),this.uniforms.uHorizon.value.copy(this.horizon),this.uniforms.uSun.value.set(e.sun).lerp(Vf.set(e.low),h),this.uniforms.uStars.value=e.air===0&&e.name!=="studio"?1:1-Math.min(1,3*l),this.uniforms.uDisc.value=t&&r>-.02?1:0;let u=Math.exp(-e.air*(1/Math.max(Math.sin(Math.max(r,0)),.06)-1)),d=ki.clamp((r+.008)/.016,0,1);this.sun.color.copy(this.uniforms.uSun.value),this.sun.intensity=n?1.1:e.sunPower*u*d,this.sky.color.set(e.air>0||e.name==="studio"?e.horizon:12568792).lerp(Vf.set(16777215),.55),this.sky.groundColor.set(e.stuff.ground).multiplyScalar(.65),this.sky.intensity=e.skyPower*(e.air>0?.15+.85*l*(.8+.2*Math.max(Math.sin(r),0)):.3+.7*d),this.lamp.intensity=n?5:0}cover(e,t){let n=Math.max(t*1.5,.2),s=this.sun.shadow.camera;Math.abs(n-this.reach)>.2*this.reach&&(this.reach=n,Object.assign(s,{left:-n,right:n,bottom:-n,top:n,near:n*.05,far:n*8}),s.updateProjectionMatrix(),this.sun.shadow.normalBias=n*.004);let r=this.uniforms.uDirection.value,o=2*this.reach/this.sun.shadow.mapSize.x;this.right.set(0,0,1).cross(r).normalize(),this.right.lengthSq()<.5&&this.right.set(1,0,0),this.top.copy(r).cross(this.right);let a=Math.round(e.dot(this.right)/o)*o-e.dot(this.right),l=Math.round(e.dot(this.top)/o)*o-e.dot(this.top);this.sun.target.position.copy(e).addScaledVector(this.right,a).addScaledVector(this.top,l),this.sun.position.copy(this.sun.target.position).addScaledVector(r,this.reach*4)}setShadowSize(e){this.sun.shadow.mapSize.x!==e&&(this.sun.shadow.mapSize.set(e,e),this.sun.shadow.map?.dispose(),this.sun.shadow.map=null)}follow(e){this.lamp.position.setFromMatrixPosition(e.matrixWorld),this.dome.visible=e instanceof Cn}},Vf=new Be;var Ei=512,I1={natural:0,slope:1,soil:2,height:3},L1={natural:0,slip:1,sinkage:2},ru=class{uNoise={value:fv()};uSurface={value:0};uRutColour={value:0};uGrid={value:0};uContour={value:0};uContourStep={value:1};uHeight={value:new We(0,1)};uSinkage={value:.1};uRegion={value:zh.map(e=>new Be(e))};uMask={value:N1()};uMaskTile={value:0};uDetail={value:1};uIcy={value:[0,0,0,0,0,0,0,0]};apply(e){this.uSurface.value=I1[e.surface],this.uRutColour.value=L1[e.rutColour],this.uGrid.value=e.grid?1:0,this.uContour.value=e.contours?1:0}};function N1(){let i=new Li(new Uint8Array(Ei*Ei),Ei,Ei,po);return i.magFilter=i.minFilter=mn,i.needsUpdate=!0,i}var D1=`
attribute vec3 rut;
varying vec3 vGround;
varying vec3 vUp;
varying vec3 vRut;
flat varying int vSoil;
`,U1=`
vGround = position;
vUp = normal;
vRut = rut;
vSoil = int(color.a * 255.0 + 0.5);
`,F1=`
uniform sampler2D uNoise;
uniform sampler2D uMask;
uniform int uSurface, uRutColour;
uniform float uGrid, uContour, uContourStep, uSinkage, uMaskTile, uDetail;
uniform vec2 uHeight;
uniform float uIcy[8];
uniform vec3 uRegion[8];
varying vec3 vGround;
varying vec3 vUp;
varying vec3 vRut;
flat varying int vSoil;
${dv}
bool rilleRutted(vec2 p) {
  ivec2 t = ivec2(floor(p / uMaskTile));
  ivec2 m = ((t % ${Ei}) + ${Ei}) % ${Ei};
  return texelFetch(uMask, m, 0).r > 0.5;
}
float rilleLine(float x, float width) {
  float d = fwidth(x);
  float near = abs(fract(x - 0.5) - 0.5) / max(d, 1e-6);
  return (1.0 - clamp(near - width, 0.0, 1.0)) * (1.0 - smoothstep(0.12, 0.4, d));
}
`,O1=`
#ifdef WALL
if (dot(vNormal, vViewPosition) < 0.0) discard;
#endif
#ifndef RUT
if (uMaskTile > 0.0) {
  // Left out where ruts are drawn instead, up to a pixel of their border: of a pixel on it each
  // draws only a part.
  vec2 border = fwidth(vGround.xy);
  if (rilleRutted(vGround.xy - border) && rilleRutted(vGround.xy + border) &&
      rilleRutted(vGround.xy + vec2(border.x, -border.y)) && rilleRutted(vGround.xy + vec2(-border.x, border.y))) discard;
}
#endif
vec3 up = normalize(vUp);
#ifdef WALL
// Steep walls are seen from the side: the structure lies in the plane they face most.
vec3 facing = abs(up);
vec2 where = facing.z > max(facing.x, facing.y) ? vGround.xy : facing.x > facing.y ? vGround.yz : vGround.xz;
#else
vec2 where = vGround.xy;
#endif
vec3 noiseFar = texture2D(uNoise, where * 0.013).rgb;
vec3 noiseMid = texture2D(uNoise, where * 0.11 + 0.37).rgb;
vec3 noiseFine = texture2D(uNoise, where * 0.83 + 0.11).rgb;
vec3 noiseGrain = texture2D(uNoise, mat2(2.31, 1.74, -1.74, 2.31) * where + 0.23).rgb; // turned: no pattern with the coarser ones
float icy = uIcy[min(vSoil, 7)];
float steep = 1.0 - clamp(up.z, 0.0, 1.0);
if (uSurface == 0 && icy > 0.0) {
  // Bubbly white over clear blue; more of the blue where it is steep, as if one saw deeper into it.
  float clear = smoothstep(0.42, 0.72, 0.5 * noiseFar.b + 0.35 * noiseMid.b + 0.25 * noiseFine.b + 0.25 * steep);
  diffuseColor.rgb *= mix(vec3(1.02, 1.02, 1.02), vec3(0.60, 0.79, 0.92), 0.75 * clear);
  diffuseColor.rgb *= 1.0 + uDetail * (0.10 * (noiseMid.b - 0.5) + 0.10 * (noiseFine.b - 0.5) + 0.08 * (noiseGrain.b - 0.5));
} else if (uSurface == 0) {
  float tone = 0.30 * (noiseFar.b - 0.5) + 0.26 * (noiseMid.b - 0.5) + 0.22 * (noiseFine.b - 0.5) + 0.24 * (noiseGrain.b - 0.5);
  diffuseColor.rgb *= 1.0 + uDetail * tone;
#ifndef WALL
  diffuseColor.rgb *= mix(1.0, 0.8, smoothstep(0.05, 0.35, steep));
#endif
} else if (uSurface == 1) {
  diffuseColor.rgb = rilleHazard(acos(clamp(normalize(vUp).z, 0.0, 1.0)) / radians(35.0));
} else if (uSurface == 2) {
  diffuseColor.rgb = uRegion[vSoil % 8] * 0.8;
} else {
  diffuseColor.rgb = rilleRamp((vGround.z - uHeight.x) / max(uHeight.y - uHeight.x, 1e-6));
}
#ifdef RUT
float pressed = clamp(vRut.x / max(0.3 * uSinkage, 1e-6), 0.0, 1.0);
if (uRutColour == 0) diffuseColor.rgb *= 1.0 - 0.38 * pressed;
else if (abs(vRut.x) > 2e-4) {
  if (uRutColour == 1) diffuseColor.rgb = mix(diffuseColor.rgb, rilleSlip(vRut.y / max(vRut.z, 1e-3)), 0.9 * vRut.z);
  else diffuseColor.rgb = mix(diffuseColor.rgb, rilleRamp(vRut.x / uSinkage), 0.85);
}
#endif
if (uGrid > 0.0) {
  float fine = max(rilleLine(vGround.x, 0.0), rilleLine(vGround.y, 0.0));
  float wide = max(rilleLine(vGround.x * 0.1, 0.4), rilleLine(vGround.y * 0.1, 0.4));
  diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.02), uGrid * max(0.22 * fine, 0.5 * wide));
}
if (uContour > 0.0) {
  float fine = rilleLine(vGround.z / uContourStep, 0.1);
  float wide = rilleLine(vGround.z / (5.0 * uContourStep), 0.6);
  diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.03, 0.02, 0.02), uContour * max(0.45 * fine, 0.75 * wide));
}
`,k1=`
#if NUM_DIR_LIGHTS > 0
if (uSurface == 0 && icy > 0.0) {
  vec3 halfway = normalize(directionalLights[0].direction + normalize(vViewPosition));
  float mirrored = pow(max(dot(normal, halfway), 0.0), 90.0);
  reflectedLight.directDiffuse += icy * 1.6 * mirrored * reflectedLight.directDiffuse;
}
#endif
`,B1=`
normal = normalize(vNormal); // not turned round on back faces: what shows through a crack has the light of the ground around it
if (uSurface == 0 && uDetail > 0.0) {
  vec2 tilt = ((noiseGrain.rg - 0.5) * 0.35 + (noiseFine.rg - 0.5) * 0.5 + (noiseMid.rg - 0.5) * 0.35) * (1.0 - 0.6 * icy);
#ifdef WALL
  vec3 lean = facing.z > max(facing.x, facing.y) ? vec3(tilt, 0.0) : facing.x > facing.y ? vec3(0.0, tilt) : vec3(tilt.x, 0.0, tilt.y);
#else
  vec3 lean = vec3(tilt, 0.0);
#endif
  normal = normalize(normal + uDetail * (viewMatrix * vec4(lean, 0.0)).xyz);
}
`;function nl(i,e){let t=new Sa({vertexColors:!0,side:Pn});return e&&(t.defines={[e]:1}),t.onBeforeCompile=n=>{for(let[s,r]of Object.entries(i))n.uniforms[s]=r;n.vertexShader=n.vertexShader.replace("#include <common>",`#include <common>
${D1}`).replace("#include <begin_vertex>",`#include <begin_vertex>
${U1}`),n.fragmentShader=n.fragmentShader.replace("#include <common>",`#include <common>
${F1}`).replace("#include <color_fragment>",`#include <color_fragment>
${O1}`).replace("#include <normal_fragment_maps>",`#include <normal_fragment_maps>
${B1}`).replace("#include <lights_fragment_end>",`#include <lights_fragment_end>
${k1}`)},t}var ou=32,au=[1,2,4,8,16],z1=.0012,Wf=class{constructor(e,t,n,s,r,o,a,l,c){this.tile=e;this.i0=t;this.j0=n;this.nx=s;this.ny=r;this.attributes=o;this.cache=l;this.gaps=c;this.mesh=new At(this.geometry(0),a),this.mesh.receiveShadow=!0,this.mesh.matrixAutoUpdate=!1;let h=this.geometry(0).boundingSphere;this.centre=h?.center??new k,this.radius=h?.radius??0}tile;i0;j0;nx;ny;attributes;cache;gaps;mesh;centre;radius;geometries=au.map(()=>null);whole=!0;choose(e,t,n){if(!this.whole)return;let s=Math.max(this.centre.distanceTo(e)-this.radius,0),r=Math.max(this.tile.dx,this.tile.dy);this.mesh.geometry=this.geometry(Av(r,s,t,n))}cut(e){let t=e.filter(o=>Xf(o,this.rectangle()));if(this.whole=t.length===0,this.whole){this.mesh.visible=!0;return}let n=(o,a)=>{let l=this.tile.x0+(this.i0+o+.5)*this.tile.dx,c=this.tile.y0+(this.j0+a+.5)*this.tile.dy;return!t.some(h=>l>h.x0&&l<h.x0+(h.nx-1)*h.dx&&c>h.y0&&c<h.y0+(h.ny-1)*h.dy)},s=qf(this.nx,this.ny,1,(o,a)=>n(o,a)&&this.solid(o,a,1));if(this.mesh.visible=s.length>0,!this.mesh.visible)return;let r=this.bare();r.setIndex(new at(s,1)),this.mesh.geometry=r}rectangle(){let e=this.tile;return{x0:e.x0+this.i0*e.dx,y0:e.y0+this.j0*e.dy,x1:e.x0+(this.i0+this.nx-1)*e.dx,y1:e.y0+(this.j0+this.ny-1)*e.dy}}dispose(){for(let e of this.geometries)e?.dispose();this.mesh.removeFromParent()}bare(){let e=new vt;for(let[n,s]of Object.entries(this.attributes))e.setAttribute(n,s);let t=this.geometries[0];return t?(e.boundingSphere=t.boundingSphere,e.boundingBox=t.boundingBox):H1(e),e}geometry(e){let t=this.geometries[e];if(t)return t;t=this.bare();let n=au[e];if(this.gaps){let s=qf(this.nx,this.ny,n,(r,o)=>this.solid(r,o,n));t.setIndex(new at(s,1))}else t.setIndex(Rv(this.cache,this.nx,this.ny,n));return this.geometries[e]=t,t}solid(e,t,n){let s=Math.min(e+n,this.nx-1),r=Math.min(t+n,this.ny-1),o=(a,l)=>this.tile.height[(this.j0+l)*this.tile.nx+this.i0+a];return!Number.isNaN(o(e,t)+o(s,t)+o(e,r)+o(s,r))}};function Av(i,e,t,n){let s=n*(t>0?t:e*z1);return Math.min(Math.floor(Math.log2(Math.max(s/i,1))),au.length-1)}function Xf(i,e){return i.x0<e.x1&&i.x0+(i.nx-1)*i.dx>e.x0&&i.y0<e.y1&&i.y0+(i.ny-1)*i.dy>e.y0}function qf(i,e,t,n){let s=Sv(i,t),r=Sv(e,t),o=(s.length-1)*(r.length-1)+2*(s.length+r.length-2),a=new Uint32Array(o*6),l=0,c=(u,d,f,g)=>{a[l++]=u,a[l++]=d,a[l++]=f,a[l++]=u,a[l++]=f,a[l++]=g};for(let u=0;u+1<r.length;u++)for(let d=0;d+1<s.length;d++){let[f,g,y,m]=[s[d],s[d+1],r[u],r[u+1]];(!n||n(f,y))&&c(y*i+f,y*i+g,m*i+g,m*i+f)}if(n)return a.slice(0,l);let h=i*e;for(let u=0;u+1<s.length;u++){let[d,f]=[s[u],s[u+1]];c(h+d,h+f,f,d),c((e-1)*i+d,(e-1)*i+f,h+i+f,h+i+d)}for(let u=0;u+1<r.length;u++){let[d,f]=[r[u],r[u+1]];c(d*i,f*i,h+2*i+f,h+2*i+d),c(h+2*i+e+d,h+2*i+e+f,f*i+i-1,d*i+i-1)}return a.slice(0,l)}function Rv(i,e,t,n){let s=`${e} ${t} ${n}`,r=i.get(s);return r||i.set(s,r=new at(qf(e,t,n,null),1)),r}function Sv(i,e){let t=[];for(let n=0;n<i-1;n+=e)t.push(n);return t.push(i-1),t}function H1(i){let e=i.getAttribute("position"),t=new qn,n=new k;for(let s=0;s<e.count;s++)n.fromBufferAttribute(e,s),Number.isNaN(n.z)||t.expandByPoint(n);i.boundingBox=t,i.boundingSphere=t.getBoundingSphere(new vi)}var lu=class{group=new bt;rutGroup=new bt;uniforms=new ru;material=nl(this.uniforms,null);apronMaterial=nl({...this.uniforms,uContour:{value:0}},null);rutMaterial=nl(this.uniforms,"RUT");meshMaterial=nl(this.uniforms,"WALL");tiles=new Map;ruts=new Map;cache=new Map;plane=null;meshes=[];cutPending=!1;ground=new Be(10129273);palette=Tv(If(Io(!0),null).colours);apron=null;extends=!1;low=1/0;high=-1/0;deepest=.02;hasSoil=!1;get hasHeights(){return this.tiles.size>0}get hasRuts(){return this.ruts.size>0}get hasMesh(){return this.meshes.length>0}get sinkageScale(){return this.uniforms.uSinkage.value}get contourStep(){return this.uniforms.uContourStep.value}get range(){return[this.low,this.high]}get tileCount(){return this.tiles.size}reset(e,t){for(let{blocks:r}of this.tiles.values())for(let o of r)o.dispose();this.tiles.clear(),this.sorted=null;for(let r of this.meshes)r.removeFromParent();this.meshes=[],this.clearRuts(),this.plane?.removeFromParent(),this.plane=null,this.low=1/0,this.high=-1/0,this.hasSoil=!1;let{colours:n,icy:s}=If(t,e);this.ground.copy(n[0]),this.uniforms.uIcy.value=s,this.palette=Tv(n),this.apron?.removeFromParent(),this.apron=null,this.extends=e?.extends===!0,e&&e.kind==="plane"&&this.addPlane(e)}clearRuts(){for(let e of this.ruts.values())e.mesh.removeFromParent(),e.mesh.geometry.dispose();this.ruts.clear(),this.uniforms.uMask.value.image.data.fill(0),this.uniforms.uMask.value.needsUpdate=!0}addTile(e){let t=`${e.level} ${e.tileX} ${e.tileY}`,n=this.tiles.get(t);if(n)for(let r of n.blocks)r.dispose();let s=[];for(let r=0;r<e.ny-1;r+=ou)for(let o=0;o<e.nx-1;o+=ou)s.push(this.makeBlock(e,o,r));this.tiles.set(t,{tile:e,blocks:s}),this.sorted=null;for(let r of s)this.group.add(r.mesh);this.noteRange(e),this.plane&&(this.plane.visible=!1),this.cutPending=!0;for(let r of this.ruts.values())Xf(e,wv(r.tile))&&(r.settled=!1)}addMesh(e){for(let s of this.meshes)s.removeFromParent();let t=new vt;t.setAttribute("position",new at(e.position,3)),t.setIndex(new at(e.index,1)),t.computeVertexNormals(),t.setAttribute("color",Gf(e.position.length/3,this.ground));let n=new At(t,this.meshMaterial);n.receiveShadow=!0,this.meshes=[n],this.group.add(n);for(let s=2;s<e.position.length;s+=3)this.low=Math.min(this.low,e.position[s]),this.high=Math.max(this.high,e.position[s]);this.setRange(),this.apron?.removeFromParent(),this.layMeshApron(e.position),this.plane&&(this.plane.visible=!1)}addRut(e){let t=`${e.i} ${e.j}`,n=this.ruts.get(t);(!n||n.tile.nx!==e.nx||n.tile.ny!==e.ny)&&(n?.mesh.removeFromParent(),n=this.makeRut(e),this.ruts.set(t,n),this.setMask(e)),n.tile=e;for(let[s,r]of[[0,0],[1,0],[0,1],[1,1]]){let o=this.ruts.get(`${e.i-s*e.nx} ${e.j-r*e.ny}`);o&&(o.dirty=!0)}for(let s of e.depth)this.deepest=Math.max(this.deepest,s);this.uniforms.uSinkage.value=Qa(this.deepest)}heightAt(e,t){let n=Ev(this.finestFirst(),e,t);return Number.isNaN(n)&&this.plane?.visible?0:n}finestFirst(){return this.sorted??=[...this.tiles.values()].map(e=>e.tile).sort((e,t)=>t.level-e.level),this.sorted}sorted=null;update(){this.cutPending&&(this.cutCovered(),this.layApron()),this.cutPending=!1;for(let e of this.ruts.values())e.settled||this.settle(e),e.dirty&&this.shapeRut(e)}choose(e,t,n,s){for(let{blocks:r}of this.tiles.values())for(let o of r)o.choose(e,t,n);for(let{tile:r,mesh:o}of this.ruts.values()){let a=o.geometry.boundingSphere,l=a?Math.max(a.center.distanceTo(e)-a.radius,0):0;o.geometry.setIndex(this.rutIndex(r,Av(r.cell,l,t,n)))}this.rutGroup.visible=s,this.uniforms.uMaskTile.value=s?this.rutTileSide():0}rutIndex(e,t){return Rv(this.cache,e.nx+1,e.ny+1,au[t])}rutTileSide(){for(let{tile:e}of this.ruts.values())return e.cell*e.nx;return 0}addPlane(e){let t=new Ni(e.x1-e.x0,e.y1-e.y0,1,1);t.translate((e.x0+e.x1)/2,(e.y0+e.y1)/2,0),t.setAttribute("color",Gf(4,this.ground)),this.plane=new At(t,this.material),this.plane.receiveShadow=!0,this.group.add(this.plane)}makeBlock(e,t,n){let s=Math.min(ou+1,e.nx-t),r=Math.min(ou+1,e.ny-n),o=W1(e,t,n,s,r,this.palette);return o.soil&&(this.hasSoil=!0),new Wf(e,t,n,s,r,o.attributes,this.material,this.cache,o.gaps)}noteRange(e){for(let t of e.height)t<this.low&&(this.low=t),t>this.high&&(this.high=t);this.setRange()}setRange(){this.uniforms.uHeight.value.set(this.low,this.high),this.uniforms.uContourStep.value=Qa(Math.max((this.high-this.low)/24,.001))}cutCovered(){let e=[...this.tiles.values()];for(let{tile:t,blocks:n}of e){let s=e.map(r=>r.tile).filter(r=>r.level>t.level);for(let r of n)r.cut(s)}}layApron(){let e=[...this.tiles.values()].map(t=>t.tile).find(t=>t.level===0);this.extends&&e&&!this.apron&&this.drawApron(e)}layMeshApron(e){let t=new qn().setFromArray(e),n=[],s=.01*Math.max(t.max.x-t.min.x,t.max.y-t.min.y);for(let c=0;c<e.length;c+=3){let[h,u]=[e[c],e[c+1]];Math.min(h-t.min.x,t.max.x-h,u-t.min.y,t.max.y-u)<s&&n.push(e[c+2])}n.sort((c,h)=>c-h);let r=c=>n.filter(h=>Math.abs(h-c)<s).length/n.length,o=n[Math.floor(n.length/2)];if(r(o)<.8&&(o=n[0],r(o)<.2)||!this.extends||n.length===0)return;let[a,l]=[t.max.x-t.min.x-2*s,t.max.y-t.min.y-2*s];this.drawApron({level:0,tileX:0,tileY:0,nx:2,ny:2,x0:t.min.x+s,y0:t.min.y+s,dx:a,dy:l,height:new Float32Array(4).fill(o-.02*s),material:new Uint8Array(4)})}drawApron(e){let n=[];for(let d=0;d<e.nx-1;d++)n.push(d);for(let d=0;d<e.ny-1;d++)n.push(d*e.nx+e.nx-1);for(let d=e.nx-1;d>0;d--)n.push((e.ny-1)*e.nx+d);for(let d=e.ny-1;d>0;d--)n.push(d*e.nx);let s=n.length,r=new Float32Array(6*s),o=new Float32Array(6*s),a=new Uint8Array(8*s),l=new Uint32Array(6*s),[c,h]=[e.x0+(e.nx-1)*e.dx/2,e.y0+(e.ny-1)*e.dy/2];n.forEach((d,f)=>{let[g,y]=[e.x0+d%e.nx*e.dx,e.y0+Math.floor(d/e.nx)*e.dy],m=Number.isNaN(e.height[d])?this.low:e.height[d];r.set([g,y,m],3*f),r.set([c+30*(g-c),h+30*(y-h),m],3*(s+f));for(let _ of[f,s+f])o[3*_+2]=1,Yf(a,_,this.palette,e.material[d]);let p=(f+1)%s;l.set([f,s+f,s+p,f,s+p,p],6*f)});let u=new vt;u.setAttribute("position",new at(r,3)),u.setAttribute("normal",new at(o,3)),u.setAttribute("color",new at(a,4,!0)),u.setIndex(new at(l,1)),this.apron=new At(u,this.apronMaterial),this.group.add(this.apron)}makeRut(e){let t=e.nx+1,n=e.ny+1,s=new vt,r=a=>{let l=new at(new Float32Array((t*n+2*(t+n))*a),a);return l.setUsage(mo),l};s.setAttribute("position",r(3)),s.setAttribute("normal",r(3)),s.setAttribute("rut",r(3)),s.setAttribute("color",Gf(t*n+2*(t+n),this.ground)),s.setIndex(this.rutIndex(e,0));let o=new At(s,this.rutMaterial);return o.receiveShadow=!0,this.rutGroup.add(o),{tile:e,mesh:o,base:new Float32Array(t*n),settled:!1,dirty:!0}}settle(e){let{tile:t,base:n}=e,s=this.finestFirst().filter(o=>Xf(o,wv(t))),r=e.mesh.geometry.getAttribute("color");for(let o=0;o<=t.ny;o++)for(let a=0;a<=t.nx;a++){let[l,c]=[(t.i+a)*t.cell,(t.j+o)*t.cell],h=Ev(s,l,c),u=o*(t.nx+1)+a;n[u]=Number.isNaN(h)?0:h,Yf(r.array,u,this.palette,V1(s,l,c))}r.needsUpdate=!0,e.settled=e.dirty=!0}rutCell(e,t,n,s){let r=t===e.nx?1:0,o=n===e.ny?1:0,a=r+o>0?this.ruts.get(`${e.i+r*e.nx} ${e.j+o*e.ny}`)?.tile:e,l=a?(n-o*e.ny)*a.nx+(t-r*e.nx):0;s[0]=a?a.depth[l]:0;let c=a?a.slip[l]:0;s[1]=c>0?(c-128)/127:0,s[2]=c>0?1:0}shapeRut(e){let{tile:t,base:n,mesh:s}=e,r=t.nx+1,o=t.ny+1,a=s.geometry.getAttribute("position"),l=s.geometry.getAttribute("rut"),c=[0,0,0];for(let h=0;h<o;h++)for(let u=0;u<r;u++){let d=h*r+u;this.rutCell(t,u,h,c),a.setXYZ(d,(t.i+u)*t.cell,(t.j+h)*t.cell,n[d]-c[0]),l.setXYZ(d,...c)}q1(s.geometry,r,o,t.cell),Y1(s.geometry,r,o,2*t.cell+.02);for(let h of["position","normal","rut"])s.geometry.getAttribute(h).needsUpdate=!0;s.geometry.computeBoundingSphere(),e.dirty=!1}setMask(e){let t=s=>(s%Ei+Ei)%Ei,n=this.uniforms.uMask.value.image.data;n[t(Math.floor(e.j/e.ny))*Ei+t(Math.floor(e.i/e.nx))]=255,this.uniforms.uMask.value.needsUpdate=!0}};function wv(i){let[e,t]=[i.i*i.cell,i.j*i.cell];return{x0:e,y0:t,x1:e+i.nx*i.cell,y1:t+i.ny*i.cell}}function Ev(i,e,t){for(let n of i){let s=(e-n.x0)/n.dx,r=(t-n.y0)/n.dy;if(s<0||r<0||s>n.nx-1||r>n.ny-1)continue;let o=G1(n,s,r);if(!Number.isNaN(o))return o}return Number.NaN}function V1(i,e,t){for(let n of i){let s=Math.round((e-n.x0)/n.dx),r=Math.round((t-n.y0)/n.dy);if(s>=0&&r>=0&&s<n.nx&&r<n.ny)return n.material[r*n.nx+s]}return 0}function Tv(i){let e=new Uint8Array(768);return i.forEach((t,n)=>e.set([255*t.r,255*t.g,255*t.b],3*n)),e}function Yf(i,e,t,n){i[4*e]=t[3*n],i[4*e+1]=t[3*n+1],i[4*e+2]=t[3*n+2],i[4*e+3]=n}function G1(i,e,t){let n=Math.min(Math.floor(e),i.nx-2),s=Math.min(Math.floor(t),i.ny-2),r=e-n,o=t-s,a=s*i.nx+n,l=i.height;return(1-o)*((1-r)*l[a]+r*l[a+1])+o*((1-r)*l[a+i.nx]+r*l[a+i.nx+1])}function Gf(i,e){let t=new Uint8Array(i*4);for(let n=0;n<i;n++)t[4*n]=255*e.r,t[4*n+1]=255*e.g,t[4*n+2]=255*e.b;return new at(t,4,!0)}function W1(i,e,t,n,s,r){let o=n*s+2*(n+s),a=new Float32Array(o*3),l=new Int16Array(o*4),c=new Uint8Array(o*4),h=(y,m,p,_)=>{let A=p*i.nx+m;return a[3*y]=i.x0+m*i.dx,a[3*y+1]=i.y0+p*i.dy,a[3*y+2]=i.height[A]-_,X1(i,m,p,l,4*y),Yf(c,y,r,i.material[A]),!Number.isNaN(i.height[A])},u=!1,d=!1;for(let y=0;y<s;y++)for(let m=0;m<n;m++)h(y*n+m,e+m,t+y,0)||(u=!0),c[4*(y*n+m)+3]!==0&&(d=!0);let f=2*Math.max(i.dx,i.dy),g=n*s;for(let y=0;y<n;y++)h(g+y,e+y,t,f),h(g+n+y,e+y,t+s-1,f);for(let y=0;y<s;y++)h(g+2*n+y,e,t+y,f),h(g+2*n+s+y,e+n-1,t+y,f);return{attributes:{position:new at(a,3),normal:new at(l,4,!0),color:new at(c,4,!0)},gaps:u,soil:d}}function X1(i,e,t,n,s){let r=i.height,o=t*i.nx+e,a=e>0&&!Number.isNaN(r[o-1])?o-1:o,l=e<i.nx-1&&!Number.isNaN(r[o+1])?o+1:o,c=t>0&&!Number.isNaN(r[o-i.nx])?o-i.nx:o,h=t<i.ny-1&&!Number.isNaN(r[o+i.nx])?o+i.nx:o,u=l>a?(r[l]-r[a])/((l-a)*i.dx):0,d=h>c?(r[h]-r[c])/((h-c)/i.nx*i.dy):0,f=32767/Math.sqrt(1+u*u+d*d);n[s]=-u*f,n[s+1]=-d*f,n[s+2]=f}function q1(i,e,t,n){let s=i.getAttribute("position"),r=i.getAttribute("normal");for(let o=0;o<t;o++)for(let a=0;a<e;a++){let[l,c]=[Math.max(a-1,0),Math.min(a+1,e-1)],[h,u]=[Math.max(o-1,0),Math.min(o+1,t-1)],d=(s.getZ(o*e+c)-s.getZ(o*e+l))/((c-l)*n),f=(s.getZ(u*e+a)-s.getZ(h*e+a))/((u-h)*n),g=1/Math.sqrt(1+d*d+f*f);r.setXYZ(o*e+a,-d*g,-f*g,g)}}function Y1(i,e,t,n){let s=(o,a)=>{for(let c of["position","normal","rut","color"]){let h=i.getAttribute(c);for(let u=0;u<h.itemSize;u++)h.setComponent(o,u,h.getComponent(a,u))}let l=i.getAttribute("position");l.setZ(o,l.getZ(a)-n)},r=e*t;for(let o=0;o<e;o++)s(r+o,o),s(r+e+o,(t-1)*e+o);for(let o=0;o<t;o++)s(r+2*e+o,o*e),s(r+2*e+t+o,o*e+e-1)}var Cv=3120127,cu=class{group=new bt;fill=br(Cv,1);edge=br(Bf,.5);thin=new $n({color:Cv,toneMapped:!1});pieces=[];laid=[];size=0;get places(){return this.pieces.reduce((e,t)=>e+(t?t.length/4:0),0)}set({piece:e,places:t}){this.pieces[e]=t,this.drop(e),this.drop(e+1)}clear(){for(let e=0;e<this.laid.length;e++)this.drop(e);this.pieces.length=this.laid.length=0}draw(e,t,n,s){if(t!==this.size)for(let r=0;r<this.laid.length;r++)this.drop(r);this.size=t;for(let r=0;r<this.pieces.length;r++){this.laid[r]&&this.laid[r]?.tiles!==n&&this.drop(r);let o=this.laid[r]??=this.lay(r,n,s),a=Math.max(Cs(o.times,e+1e-4)-1,0);for(let l of o.meshes)l.geometry.setDrawRange(0,6*a);o.line?.geometry.setDrawRange(0,2*a)}}lay(e,t,n){let s=this.pieces[e-1],r=this.pieces[e]??new Float32Array(0),o=new Float32Array([...s&&r.length>0?s.slice(-4):[],...r]),a=o.length/4,l=Float64Array.from({length:a},(u,d)=>o[4*d]),c=[],h=null;if(a>1){let u=Array.from({length:a},(g,y)=>[o[4*y+1],o[4*y+2]]),d=Float32Array.from({length:a},(g,y)=>o[4*y+3]),f=.6*zf(this.size);for(let[g,y,m,p]of[[1.7*f,.6*f,this.edge,11.3],[f,.8*f,this.fill,11.6]]){let _=new At(Qh(u,g,y,0,n,d),m);_.renderOrder=p,_.matrixAutoUpdate=!1,_.frustumCulled=!1,this.group.add(_),c.push(_)}h=new Zn(Hf(c[1].geometry),this.thin),h.frustumCulled=!1,this.group.add(h)}return{times:l,meshes:c,line:h,tiles:t}}drop(e){let t=this.laid[e];for(let n of t?[...t.meshes,t.line]:[])n?.geometry.dispose(),n?.removeFromParent();this.laid[e]=void 0}};var $1=[null,16747069],$f=class{constructor(e,t){this.run=e;this.robot=new tu(t),this.group.add(this.terrain.group,this.terrain.rutGroup,this.robot.group,this.overlays.group,this.planned.group,this.driven.group),this.group.add(this.sensed.points,this.sensed.sights,...this.sensed.sheets)}run;group=new bt;robot;terrain=new lu;overlays=new Jh;planned=new jh;driven=new cu;sensed=new iu;planLaid=-1;focus=new k;shift=new lt;shifted=!1;measured=!1;com=null;massCentre=new k;get present(){return this.run.scene!==null&&this.run.frame.bodies>0}get enclosed(){return this.terrain.hasMesh&&!this.terrain.hasHeights&&this.terrain.range[1]>this.focus.z+.6*this.robot.size}build(e,t){let n=this.run.scene;n&&(this.robot.build(n.bodies,t),this.terrain.reset(n.terrain,e),this.overlays.weight=(n.mass??0)*Math.hypot(...n.gravity),this.overlays.reset(this.robot.names),this.planChanged(),this.driven.clear(),this.measured=!1,this.robot.ready.then(()=>{this.measured=!1,this.run.fresh=!0}))}planChanged(){this.planLaid=-1}layPlan(){this.planLaid!==this.terrain.tileCount&&(this.planLaid=this.terrain.tileCount,this.planned.draw(this.run.plan,this.robot.size,(e,t)=>this.terrain.heightAt(e,t)))}update(e){this.terrain.update();let t=this.run.frame;if(!this.present)return;this.measured||(this.robot.measure(t),this.planChanged()),this.measured=!0,this.robot.update(t,this.shifted?this.shift:null),this.robot.centre(t,this.focus),this.shifted&&this.focus.applyMatrix4(this.shift);let n=this.overlays;n.frames.visible=e("frames"),n.labels.visible=e("labels"),n.contacts.visible=t.pulls?e("pulls"):e("contacts"),n.tethers.visible=e("tethers"),n.support.visible=e("support"),this.com=e("com")&&this.robot.hasMass?this.robot.centreOfMass(t,this.massCentre):null,n.update(t,this.robot.size,this.com),e("plan")&&this.layPlan(),Rs.some(s=>e(s))&&this.sensed.draw(this.terrain.tileCount,.01*this.robot.size,(s,r)=>this.terrain.heightAt(s,r)),e("path")&&this.driven.draw(this.run.time,this.robot.size,this.terrain.tileCount,(s,r)=>this.terrain.heightAt(s,r)),this.run.fresh=!1}show(e,t){let n=this.overlays;this.robot.group.visible=e.robot,this.robot.ornaments.visible=e.ornaments,n.frames.visible=e.frames,n.labels.visible=e.labels,n.contacts.visible=this.run.frame.pulls?e.pulls:e.contacts,n.tethers.visible=e.tethers,this.driven.group.visible=e.path,this.sensed.points.visible=e.lidar,this.sensed.sights.visible=e.sights,Rs.forEach((s,r)=>this.sensed.sheets[r].visible=e[s]),this.planned.group.visible=e.plan,n.tracks.visible=e.tracks,n.support.visible=e.support,n.com.visible=e.com,this.terrain.group.visible=t,this.terrain.rutGroup.visible=t&&e.ruts,this.terrain.uniforms.apply(e)}heading(){let e=this.run.frame;return e.bodies===0?0:(js.set(1,0,0).applyQuaternion(Pv.fromArray(e.quaternion,0)),Math.hypot(js.x,js.y)<.2&&js.set(0,-1,0).applyQuaternion(Pv).set(-js.y,js.x,0),Math.atan2(js.y,js.x))}},js=new k,Pv=new on,hu=class{scene=new aa;sky=new su;runs=[];floor;catcher;look=Io(!0);dark=!0;sunShown=0;constructor(){this.scene.add(this.sky.group),this.floor=new Ia(40,40,8425632,8425632),this.floor.rotateX(Math.PI/2);let e=this.floor.material;e.transparent=!0,e.opacity=.22,e.depthWrite=!1,this.catcher=new At(new Ni(1,1),new ba({opacity:.28})),this.catcher.receiveShadow=!0,this.catcher.renderOrder=-1,this.scene.add(this.floor,this.catcher),this.applyLook()}clear(){for(let e of this.runs)e.group.removeFromParent();this.runs.length=0}addRun(e,t){let n=new $f(e,t);return this.runs.push(n),this.scene.add(n.group),n}setDark(e){this.dark=e,this.applyLook()}buildRun(e){this.applyLook(),e.build(this.look,$1[e.run.index]??null),this.applyLook()}get background(){return this.sky.horizon}applyLook(){let e=this.runs[0]?.run.scene,[t,n,s]=e?.gravity??[0,0,0],r=e?.terrain!=null,o=this.runs[0]?.enclosed===!0,a=()=>uv(e?.sun?.body??"",Math.hypot(t,n,s));this.look=r?o?hv(this.dark):a():Io(this.dark);let l=r&&!o?Lf(e?.sun,this.runs[0].run.time):null;if(this.sunShown=l?.elevation??0,this.sky.set(this.look,l,o),this.scene.fog=null,r&&this.look.air>0&&!o&&e?.terrain){let c=Math.max(e.terrain.x1-e.terrain.x0,e.terrain.y1-e.terrain.y0,200);this.scene.fog=new oa(this.sky.horizon,.45/Math.min(c,4e3))}this.floor.material.color.set(this.dark?10465992:5925758)}update(e){let t=this.runs.every(r=>r.measured);for(let r of this.runs)r.update(e);t||this.applyLook();let n=this.runs[0],s=n?.run.scene?.sun;s?.track?.length&&Math.abs((Lf(s,n.run.time)?.elevation??0)-this.sunShown)>.002&&this.applyLook(),n&&this.sky.cover(n.focus,n.robot.size*(this.runs.length>1?1.6:1))}prepare(e,t,n,s,r){let o=!1;Iv.setFromMatrixPosition(n.matrixWorld);for(let h of this.runs)h.group.visible=t(h.run.index),h.group.visible&&(h.show(e,!o),h.terrain.choose(Iv,s,r,e.ruts&&!o),o=!0);this.sky.sun.castShadow=e.shadows,this.sky.follow(n);let a=this.runs[0]?.run.scene?.terrain==null;this.floor.visible=a||e.grid&&!this.runs.some(h=>h.terrain.hasHeights);let l=this.runs[0]?.robot.size??1,c=Math.pow(10,Math.round(Math.log10(Math.max(l,.05)/2)));this.floor.scale.setScalar(c),this.floor.position.z=this.catcher.position.z=this.floorLevel(),this.catcher.visible=a&&e.shadows,this.catcher.scale.setScalar(20*Math.max(l,.1))}floorLevel(){let e=this.runs[0];if(!e||e.run.scene?.terrain)return 0;if(this.baseLevel===null&&e.run.frame.bodies>0){if(!e.measured)return 0;this.baseLevel=Math.min(0,e.robot.lowest)}return this.baseLevel??0}baseLevel=null},Iv=new k;var Z1=40,J1=100,K1=1e3,j1=12,uu=class{constructor(e){this.options=e;this.link=new ah(e.token,{text:n=>this.receive(n),binary:n=>this.receiveBinary(n),state:(n,s)=>this.linkState(n,s)}),an.DEFAULT_UP.set(0,0,1),this.placer=new dh(()=>this.stage,(n,s,r,o)=>{this.ask({op:"move",run:n,position:s,quaternion:r,settle:o})});let t=gv(this.options.plain);this.world=t?new hu:null,t&&this.world&&(this.stage=this.makeStage(t,this.world)),this.plots=new Uh(this.signalSource(),this.state),this.plots.onChange=()=>this.changed(),this.toolbar=this.makeToolbar(),this.timeline=new Wh(this.timeSource()),this.valuesPanel=new $h(this.valuesSource()),this.layerList=new xo({get:()=>this.state.layers,changed:()=>{this.layersChanged(),this.changed()},missing:n=>this.missing(n)}),this.build(),this.theme(),setInterval(()=>this.slowTick(),J1),setInterval(()=>this.state.tab==="values"&&void this.valuesPanel.ask(),K1),document.addEventListener("visibilitychange",()=>this.sendRate()),document.addEventListener("keydown",n=>this.key(n)),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.theme())}options;link;world;stage=null;notes=new ch;banner=new hh;help=new uh;toolbar;timeline;valuesPanel;layerList;plots;untouched=!1;placer;side=j("aside",{className:"side"});eventList=j("div",{className:"tab-body events"});images=j("div",{className:"images"});plotSearch;runs=[];state=Po(1);hello=null;lookAt=null;seekWanted=null;seekSent=0;lastTerrain=0;errors=[];saveTimer=0;tabs;start(){this.link.open()}makeStage(e,t){return new Gh(e,t,{settings:()=>this.state,changed:()=>{this.layersChanged(),this.changed()},missing:n=>this.missing(n),picked:n=>{this.openTab("values"),this.valuesPanel.search(n)},beforeFrame:n=>{this.sendSeek(),this.takeGround(Math.max(j1,Math.min(n/2,150)))}},this.options.plain)}build(){document.body.classList.toggle("plain",this.options.plain),this.tabs=ws([{value:"plots",label:"Plots"},{value:"values",label:"Values",title:"Look at and set any value (V)"},{value:"layers",label:"Layers",title:"What is drawn"},{value:"events",label:"Events"}],()=>this.state.tab,t=>this.openTab(t),"tabs"),this.tabs.element.dataset.test="tabs",this.side.append(this.tabs.element,this.plotsTab(),this.valuesPanel.element,j("div",{className:"tab-body"},this.layerList.element),this.eventList);let e=this.stage?.element??this.noWebgl();document.body.append(this.toolbar.element,j("div",{className:"middle"},e,this.side),this.timeline.element,this.banner.element,this.notes.element,this.images,this.help.element),this.openTab(this.state.tab)}noWebgl(){return j("main",{className:"stage empty"},j("div",{className:"notice"},j("h2",{},"This browser cannot draw in 3-D"),j("p",{},"WebGL 2 is missing or switched off. Plots, values and control work nevertheless. In most browsers graphics acceleration in the settings brings it back.")))}plotsTab(){let e=j("p",{className:"hint"},"Drag to zoom, double click for all");this.plotSearch=new Fh("Search a value to plot…",()=>this.allValues(),s=>this.plots.add(s.name),()=>this.plots.cancelTarget()),this.plotSearch.input.dataset.test="plot-search",this.plots.onTarget=s=>{this.plotSearch.input.placeholder=s?`Add to the plot of ${s}…`:"Search a value to plot…",s&&this.plotSearch.input.focus()};let t=j("select",{title:"How much of the run the plots show"});for(let[s,r]of[["0","whole run"],["5","last 5 s"],["20","last 20 s"],["60","last minute"],["600","last 10 min"]])t.append(j("option",{value:s},r));t.onchange=()=>{this.state.window=Number(t.value),this.plots.zoom(null),this.changed()},this.windowPick=t;let n=Ft("All","Undo the zoom",()=>this.plots.zoom(null),void 0,"quiet");return this.suggestions=j("div",{className:"suggestions"}),j("div",{className:"tab-body plots-tab"},this.plotSearch.element,this.suggestions,j("div",{className:"row"},t,n,e),this.plots.list)}windowPick;suggestions;suggest(){let e=[/slip$/,/sinkage$/,/^base\.(z|height)$/,/(^|\.)pitch$/,/(speed|velocity)$/,/^energy\.total$/,/position$/],t=new Set;for(let n of e){let s=this.allValues().find(r=>n.test(r.name));s&&t.size<5&&t.add(s.name)}this.suggestions.replaceChildren(...[...t].map(n=>Ft(n,`Plot ${n}`,()=>this.plots.add(n),"plus","chip-button")))}openTab(e){this.state.tab=e,this.state.panel=!0,this.showPanel(),[...this.side.children].slice(1).forEach((t,n)=>t.hidden=["plots","values","layers","events"][n]!==e),this.tabs.update(),e==="values"&&this.valuesPanel.ask(),e==="layers"&&this.layerList.update(),e==="plots"&&this.plots.redraw(),this.changed()}showPanel(){document.body.classList.toggle("no-panel",!this.state.panel)}theme(){let e=this.state.theme==="dark"||this.state.theme==="auto"&&matchMedia("(prefers-color-scheme: dark)").matches;document.documentElement.dataset.theme=e?"dark":"light",this.world?.setDark(e),this.plots.rebuild(),this.stage?.touch()}get replay(){return this.hello?.mode==="replay"}get time(){return this.runs[0]?.time??0}span(){let e=this.hello?.start??0,t=Math.max(...this.runs.map(n=>Math.max(n.status?.time??e,n.history.last||e)),e);return[e,Math.max(this.hello?.end??e,t,e+1e-6)]}allValues(){return this.runs[0]?.values??[]}missing(e){let t=this.world?.runs??[],n=r=>t.some(r),s=n(r=>r.run.scene?.terrain!=null);switch(e){case"ornaments":return n(r=>r.robot.hasOrnaments)?"":"This scene has no ornaments";case"tethers":return n(r=>(r.run.scene?.springs.length??0)>0)?"":"This scene has no springs or tethers";case"com":return n(r=>r.robot.hasMass)?"":"The bodies have no masses";case"contacts":case"support":case"tracks":return s?"":"This scene has no ground to touch";case"ruts":case"slip":return n(r=>r.terrain.hasRuts)?"":"No ruts in this run yet";case"soil":return n(r=>r.terrain.hasSoil)?"":"The ground has one material only";case"plan":return n(r=>r.run.plan.some(o=>o.motion.length+o.waypoints.length>0))?"":"No rover of this run has been told where to drive";case"hazards":case"goodness":case"mapCost":case"mapSlip":case"mapEnergy":case"mapRisk":return n(r=>r.sensed.has(e))?"":"Comes with maps of the robot's navigation; this run has sent none";case"lidar":return n(r=>r.sensed.has(e)||this.sensors(r.run,"lidars")>0)?"":"Comes with scans of a lidar; this run has sent none";case"pictures":return this.images.childElementCount>0||n(r=>this.sensors(r.run,"cameras")>0)?"":"This run has no cameras that work";case"sights":return n(r=>r.sensed.has(e)||this.sensors(r.run,"cameras")>0)?"":"This run has no cameras that work";case"slope":case"contours":return n(r=>r.terrain.hasHeights||r.terrain.hasMesh)?"":"The ground is flat or not there";default:return""}}sensors(e,t){return this.replay?0:e.scene?.sensors?.[t]??0}async ask(e,t=!1){let n=await this.link.request(e);return n.ok?t||this.notes.say(n.text):this.notes.say(n.text||"not done",!0),n}all(e){this.ask({...e,run:0},!0)}eachRun(e,t=!1){for(let n of this.runs)this.ask({...e,run:n.index},t)}paused(){return this.runs.length>0&&this.runs.every(e=>e.status?.paused??!1)}stopped(){return this.runs.length>0&&this.runs.every(e=>e.status?.stopped!=null)?this.runs[0].status?.stopped??null:null}togglePause(){if(this.stopped()!==null&&!this.replay)return this.all({op:"restart"});this.all({op:this.paused()?"resume":"pause"})}setSpeed(e){this.all({op:"speed",factor:e})}changeSpeed(e){let t=this.runs[0]?.status?.speed??1,n=Yh.filter(r=>r>0),s=n.reduce((r,o,a)=>Math.abs(o-t)<Math.abs(n[r]-t)?a:r,0);this.setSpeed(n[Math.min(Math.max(s+e,0),n.length-1)])}seek(e){if(this.replay){this.seekWanted=e;return}let t=this.runs[0]?.history.last??0;this.lookAt=e>=t-1e-9?null:e;for(let n of this.runs)n.show(this.lookAt);this.stage?.touch()}sendSeek(){let e=performance.now();this.seekWanted===null||e-this.seekSent<Z1||(this.link.send({op:"seek",time:this.seekWanted}),this.seekSent=e,this.seekWanted=null)}live(){this.seek(1/0)}sendRate(){this.link.send({op:"rate",frames:document.hidden?1:60})}layersChanged(){let e=n=>this.stage?.any(n)??!1;this.link.send({op:"layer",name:"contacts",on:e("contacts")||e("support")||e("tracks")}),this.link.send({op:"layer",name:"ruts",on:e("ruts")}),this.link.send({op:"layer",name:"path",on:e("path")});let t=n=>this.runs.some(s=>this.sensors(s,n)>0);this.link.send({op:"layer",name:"pictures",on:t("cameras")&&e("pictures")}),this.link.send({op:"layer",name:"clouds",on:t("lidars")&&e("lidar")}),this.link.send({op:"layer",name:"sights",on:t("cameras")&&e("sights")}),this.images.hidden=!e("pictures"),this.stage?.update(),this.state.tab==="layers"&&this.layerList.update()}linkState(e,t){document.body.dataset.link=e,e==="open"?(this.banner.hide(),this.sendRate()):e==="lost"?this.banner.show("Connection lost.","The program has ended or the network is down. Trying again…"):e==="refused"&&this.banner.show("The token is not accepted.","The program was started again: open the address that it printed last.",{label:"Try again",run:()=>this.link.open()})}receive(e){switch(e.op){case"hello":return this.onHello(e);case"scene":return this.onScene(e);case"status":return this.onStatus(e);case"values":return this.onValues(e);case"series":return this.plots.store.receive(e.id,e.times,e.values,e.append,e.unit);case"events":return this.onEvents(e);case"plan":return this.onPlan(e);case"answer":return this.onAnswer(e);case"lost":return this.notes.say(`${e.answers} answers were lost: too many requests at once`,!0)}}onAnswer(e){let t=this.plots.store.byId(e.to);e.ok||(t&&(t.series.error="no data"),this.notes.say(e.text,!0))}onHello(e){let t=JSON.stringify(this.hello?.runs)===JSON.stringify(e.runs),n=this.hello!==null&&t;this.hello=e,e.protocol!==1&&this.banner.show("Another version.",`The program speaks protocol ${e.protocol}, this page 1. Reload the page.`),this.ground.length=0,this.runs=e.runs.map(s=>new Nh(s.run,s.name,s.scene)),this.world?.clear(),this.images.replaceChildren();for(let s of this.runs)this.world?.addRun(s,r=>this.loadMesh(r));this.lookAt=null,n?(this.plots.store.askAgain(),this.layersChanged()):(this.untouched=!iv(this.sceneKey()),this.adoptSettings(sv(this.sceneKey(),this.runs.length))),this.stage?.arrange(this.placer)}sceneKey(){return this.runs.map(e=>e.sceneName).join(" + ")}adoptSettings(e){this.state=e,this.plots.restore(e),this.windowPick.value=String(e.window),this.theme();let t=e.panel;this.openTab(e.tab),e.panel=t,this.showPanel(),this.stage?.arrange(this.placer),this.layersChanged()}view(e){return this.world?.runs[e]}onScene(e){let t=this.runs[e.run];if(!t)return;t.scene=e;let n=this.view(e.run);n&&this.world?.buildRun(n),this.untouched&&e.run===0&&(this.untouched=!1,kh(this.state,e),this.adoptSettings(this.state)),this.stage?.setCameras(),this.stage?.touch(),this.layerList.update(),e.sensors&&this.layersChanged()}onStatus(e){let t=this.runs[e.run];t&&(t.status=e)}onValues(e){let t=this.runs[e.run];t&&(t.values=e.values,this.valuesPanel.reset(),e.run===0&&this.suggest(),this.plots.rebuild())}onPlan(e){let t=this.runs[e.run];t&&(t.plan=e.rovers,this.view(e.run)?.planChanged(),this.stage?.touch())}onEvents(e){this.runs[e.run]?.addEvents(e.events),this.drawEvents()}drawEvents(){let e=this.events().map(({run:t,event:n})=>j("button",{type:"button",className:`event ${n.kind}`,title:"Go to this moment",onclick:()=>this.seek(n.time)},j("i",{className:`marker ${n.kind}`}),j("b",{},Es(n.time)),j("em",{},this.runs.length>1?t===0?"A":"B":""),j("span",{},n.text)));this.eventList.replaceChildren(...e.length>0?e:[j("p",{className:"hint"},"Nothing has happened yet: commands, stops, checkpoints and validity warnings will be listed here.")])}events(){return this.runs.flatMap(e=>e.events.map(t=>({run:e.index,event:t}))).sort((e,t)=>e.event.time-t.event.time)}receiveBinary(e){this.guard(()=>this.dispatch(e))}guard(e){try{e()}catch(t){let n=t instanceof Error?t.message:String(t);this.errors.includes(n)||this.notes.say(`A message of the program could not be read: ${n}`,!0),this.errors.push(n)}}dispatch(e){let{kind:t,run:n}=Ih(e),s=this.view(n);if(t===1)return this.onFrame(e,n);if(s){if(t===7)s.sensed.setPoints(Z0(e));else if(t===9)s.sensed.setSight(K0(e),1.5*s.robot.size,.01*s.robot.size);else if(t===8)s.sensed.setMap(j0(e));else if(t===6)this.onWay(s,$0(e));else if(t===5)this.onImage(Q0(e),n);else if(t>=2&&t<=4)this.ground.push(e);else throw new Si(`message of kind ${t}`);(t===7||t===8||t===9)&&this.stage?.touch()}}takeGround(e){let t=performance.now()+e,n=0;for(;n<this.ground.length&&(n===0||performance.now()<t);)this.guard(()=>this.addGround(this.ground[n++]));this.ground.splice(0,n)}ground=[];addGround(e){let{kind:t,run:n}=Ih(e),s=this.view(n);s&&(this.lastTerrain=performance.now(),t===2?s.terrain.addTile(q0(e)):t===3?s.terrain.addMesh(Lh(e,4)):s.terrain.addRut(Y0(e)),t===3&&this.world?.applyLook(),this.stage?.touch())}onFrame(e,t){let n=this.runs[t];if(!n)return;let s=n.take(e,!this.replay,this.lookAt),r=this.view(t);s&&this.startedOver(r),r&&this.lookAt===null&&r.overlays.record(n.frame)}startedOver(e){e?.overlays.forget(),!this.replay&&(this.ground.splice(0,this.ground.length,...this.ground.filter(t=>Ih(t).kind!==4)),e?.terrain.clearRuts(),this.lookAt=null)}onWay(e,t){e.driven.set(t),this.lastTerrain=performance.now(),this.stage?.touch()}onImage(e,t){let n=this.runs.length>1?`${t===0?"A":"B"} ${e.camera}`:e.camera,s=[...this.images.children].find(o=>o.dataset.camera===n);if(!s){let o=Ft("","Large or small",()=>s?.classList.toggle("large"),void 0,"quiet");o.append(j("canvas")),s=j("figure",{data:{camera:n}},o,j("figcaption",{},n)),this.images.append(s),this.sensors(this.runs[t],"cameras")===0&&(this.state.layers.pictures=!0,this.layersChanged())}let r=s.querySelector("canvas");createImageBitmap(new Blob([e.jpeg],{type:"image/jpeg"})).then(o=>{r&&(r.width=e.width,r.height=e.height,r.getContext("2d")?.drawImage(o,0,0))})}async loadMesh(e){let t=await fetch(`/mesh/${e}?token=${encodeURIComponent(this.options.token)}`);if(!t.ok)throw this.notes.say(`Mesh ${e} could not be loaded (${t.status})`,!0),new Error(`mesh ${e}`);return t.arrayBuffer()}signalSource(){return{ask:(e,t)=>{let n=this.link.freshId(),[s]=this.span();return this.link.send({op:"plot",id:n,run:e,name:t,from:s,to:1e12}),n},drop:e=>{this.link.send({op:"unplot",id:e})},unit:(e,t)=>this.runs[e]?.values.find(n=>n.name===t)?.unit??"",runs:()=>Math.max(this.runs.length,1),runName:e=>this.runs[e]?.name??"",time:()=>this.time,span:()=>this.plotSpan(),seek:e=>this.seek(e)}}plotSpan(){let[e,t]=this.span();if(this.replay)return[e,t];let n=Math.max(...this.runs.map(s=>s.history.last||0),this.time,e);return[e,Math.max(n,e+.1)]}timeSource(){return{span:()=>this.span(),time:()=>this.time,seen:()=>this.replay?this.span():[this.runs[0]?.history.first||0,this.runs[0]?.history.last||0],seek:e=>this.seek(e),events:()=>this.events()}}valuesSource(){return{values:e=>this.runs[e]?.values??[],runs:()=>Math.max(this.runs.length,1),get:(e,t)=>this.link.request({op:"get",run:e,name:t}),set:(e,t,n)=>this.link.request({op:"set",run:e,name:t,text:n}),plot:e=>{this.plots.add(e),this.notes.say(`${e} is plotted`)}}}makeToolbar(){let e=()=>this.runs[0]?.status??null;return new qh({paused:()=>this.paused(),replay:()=>this.replay,speed:()=>e()?.speed??1,rtf:()=>e()?.rtf??0,time:()=>this.time,past:()=>this.lookAt!==null,gravityOn:()=>e()?.gravity_on??!0,stopped:()=>this.stopped(),title:()=>this.runs.map(t=>t.name||t.sceneName).join("  vs  "),clients:()=>e()?.clients??0,settings:()=>this.state,togglePause:()=>this.togglePause(),step:()=>this.all({op:"step",count:1}),restart:()=>this.all({op:"restart"}),setSpeed:t=>this.setSpeed(t),live:()=>this.live(),gravity:()=>this.eachRun({op:"gravity",on:!(e()?.gravity_on??!0)}),checkpoint:()=>this.eachRun({op:"checkpoint"}),place:()=>this.togglePlace(),placing:()=>this.placer.active,setViews:t=>this.setViews(t),copyLink:()=>this.copyLink(),theme:()=>this.switchTheme(),help:()=>this.help.toggle(),panel:()=>this.togglePanel()})}togglePlace(){this.placer.active=!this.placer.active,document.body.classList.toggle("placing",this.placer.active),this.placer.active&&this.notes.say("Drag the robot. Wheel: turn it. Shift: lift it.")}setViews(e){this.state.views=e,this.stage?.arrange(this.placer),this.layersChanged(),this.changed()}copyLink(){let e=ov(this.state);history.replaceState(null,"",e);let t=()=>this.notes.say("The link is in the address bar"+(navigator.clipboard?" and the clipboard":""));navigator.clipboard?.writeText(e).then(t,t)??t()}switchTheme(){this.state.theme=document.documentElement.dataset.theme==="dark"?"light":"dark",this.theme(),this.changed()}togglePanel(){this.state.panel=!this.state.panel,this.showPanel(),this.changed()}changed(){this.options.plain||this.hello===null||(clearTimeout(this.saveTimer),this.saveTimer=setTimeout(()=>{rv(this.sceneKey(),this.state),location.hash&&history.replaceState(null,"",location.pathname+location.search)},150))}slowTick(){this.toolbar.update(),this.timeline.update(),this.state.panel&&this.state.tab==="plots"&&this.plots.tick(),this.state.tab==="layers"&&this.layerList.update()}key(e){let t=e.target;if(e.ctrlKey||e.metaKey||e.altKey||/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName)||e.key===" "&&t.tagName==="BUTTON")return;let n=this.actions()[e.key.length===1?e.key.toLowerCase():e.key];n&&(e.preventDefault(),n())}toggleLayer(e){let t=this.stage?.views[this.stage.focused],n=t&&this.stage?this.stage.layersOf(t):this.state.layers;n[e]=!n[e],this.layersChanged(),this.changed()}nudge(e){let[t,n]=this.span();this.seek(Math.min(Math.max(this.time+e*Math.max((n-t)/200,.02),t),n))}actions(){let e=t=>()=>this.stage?.setCamera(t);return{" ":()=>this.togglePause(),".":()=>this.all({op:"step",count:1}),r:()=>this.all({op:"restart"}),l:()=>this.live(),ArrowLeft:()=>this.nudge(-1),ArrowRight:()=>this.nudge(1),"+":()=>this.changeSpeed(1),"=":()=>this.changeSpeed(1),"-":()=>this.changeSpeed(-1),1:()=>this.setViews(1),2:()=>this.setViews(2),4:()=>this.setViews(4),o:e("orbit"),c:e("chase"),p:e("plan"),b:e("onboard"),f:e("fixed"),Home:()=>this.stage?.views[this.stage.focused]?.recentre(),g:()=>this.toggleLayer("grid"),k:()=>this.toggleLayer("contacts"),t:()=>this.toggleLayer("tracks"),a:()=>this.toggleLayer("frames"),n:()=>this.toggleLayer("labels"),m:()=>this.togglePlace(),"/":()=>{this.openTab("plots"),this.plotSearch.input.focus()},v:()=>{this.openTab("values"),this.valuesPanel.search("")},x:()=>this.togglePanel(),d:()=>this.switchTheme(),"?":()=>this.help.toggle()}}};var Q1=250,eT=6e4,Nv=i=>new Promise(e=>setTimeout(e,i));async function du(i){let e=performance.now()+eT;for(;!i();){if(performance.now()>e)return!1;await Nv(15)}return!0}async function Dv(i,e){window.rilleReady=!1,document.title="rille: waiting",window.rilleSeek=n=>Lv(i,n),await du(()=>i.runs.length>0&&i.runs.every(n=>n.scene!==null&&n.frame.bodies>0)),tT(i,e),await Promise.all((i.world?.runs??[]).map(n=>n.robot.ready)),await du(()=>i.ground.length===0&&performance.now()-i.lastTerrain>Q1);let t=e.get("at");await Lv(i,t===null?Number.NaN:Number(t)),window.rilleReady=!0,document.title="rille: ready"}function tT(i,e){let t=Po(i.runs.length),n=i.runs[0]?.scene;n&&kh(t,n);let s=e.get("theme");(s==="dark"||s==="light")&&(t.theme=s),e.get("views")==="2"?t.views=2:e.get("views")==="4"?t.views=4:t.views=1;for(let a of(e.get("layers")??"").split(","))Af(t.layers,a);let r=e.get("camera"),o=i.runs[0]?.scene?.cameras.some(a=>a.name===r);r&&(t.view[0].camera=o?`name:${r}`:r),!o&&r&&!["orbit","chase","plan","onboard","fixed"].includes(r)&&(t.view[0].camera="orbit"),i.adoptSettings(t),i.lastTerrain=performance.now(),i.stage&&(i.stage.hold=!0)}async function Lv(i,e){Number.isNaN(e)||await nT(i,e);for(let t of i.world?.runs??[])t.run.fresh=!0;i.stage?.update();for(let t=0;t<2;t++)i.stage?.draw(0),await new Promise(n=>requestAnimationFrame(n))}async function nT(i,e){if(i.replay){let t=i.runs.map(n=>n.received);await i.link.request({op:"pause",run:0}),await i.link.request({op:"seek",time:e}),await du(()=>i.runs.every((n,s)=>n.received>t[s]&&Math.abs(n.frame.time-e)<.25)),await Nv(30);return}await du(()=>i.runs.every(t=>t.history.last>=e-1e-9||t.status?.stopped!=null)),i.seek(e)}var Zf=new URLSearchParams(location.search),Uv=Zf.get("shot")==="1",Jf=new uu({token:Zf.get("token")??"",plain:Uv});window.rilleApp=Jf;Jf.start();Uv&&Dv(Jf,Zf);})();
