/**
 * The one style sheet of all pages. It is constant, and the only one: its hash can stand in a Content-Security-Policy,
 * because no page has a style attribute or a script.
 */
export const htmlStyle = `
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--text:#1b2330;--muted:#56606f;--line:#dfe3e9;--strong:#c3c9d3;--link:#0b5cad;--wash:#eef4fb;--over:#a03c00;--under:#0b5cad;--plan:#b34700;--box:#9cc3ec;--shadow:0 12px 40px #10182833}
@media (prefers-color-scheme:dark){:root{--page:#12161c;--card:#191f27;--text:#e4e8ee;--muted:#a0abba;--line:#2b333e;--strong:#434d5b;--link:#7db8f5;--wash:#202a36;--over:#ffab73;--under:#7db8f5;--plan:#ffb066;--box:#2f5a88;--shadow:0 12px 40px #000a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
a{color:var(--link);text-underline-offset:2px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
main:focus{outline:0}
h1{font-size:24px;line-height:1.2;letter-spacing:-.015em;margin:0;font-weight:650;overflow-wrap:anywhere}
h2{font-size:15px;line-height:1.3;margin:0 0 8px;font-weight:650}
h3{font-size:12px;margin:0 0 4px;color:var(--muted);font-weight:600}
p,ul,dl,dd{margin:0}
ul{padding:0;list-style:none}
code{font:12.5px/1.4 ui-monospace,"Cascadia Mono",Menlo,"Liberation Mono",monospace;overflow-wrap:anywhere}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.nil,.panel section{position:relative}
.nil,.key,.unit,.scale{color:var(--muted)}
.key,.unit,.scale{font-weight:400}
.scale{font-size:12px;margin-left:10px}
.skip{position:absolute;left:-99rem;top:8px;z-index:9;background:var(--card);padding:8px 12px;border-radius:6px}
.skip:focus{left:8px}
header,footer{display:flex;flex-wrap:wrap;align-items:center;gap:6px 24px;padding:8px 24px}
header{background:var(--card);border-bottom:1px solid var(--line);min-height:48px}
header nav{flex:1}
header ul,footer ul{display:flex;flex-wrap:wrap;gap:2px 16px}
header li a{display:block;padding:6px 0;color:var(--muted);text-decoration:none}
header li a:hover{color:var(--text)}
header li a[aria-current]{color:var(--text);font-weight:600;box-shadow:inset 0 -2px var(--link)}
.brand{font-weight:750;font-size:17px;letter-spacing:-.02em}
footer{color:var(--muted);font-size:13px;padding-block:16px 32px}
footer nav{flex-basis:100%}
footer a{display:inline-block;min-height:24px;padding-block:2px;color:var(--muted)}
footer a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}
main{padding:20px 24px 8px}
form{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px}
label{display:inline-flex;align-items:center;gap:6px;color:var(--muted);font-size:13px}
input,select,button{font:inherit;font-size:14px;color:var(--text);background:var(--card);border:1px solid var(--strong);border-radius:6px;padding:4px 8px;min-height:32px;max-width:100%}
input[type=checkbox]{min-height:0;width:16px;height:16px;margin:0;accent-color:var(--link)}
input::placeholder{color:var(--muted);opacity:1}
button{cursor:pointer;font-weight:550}
button:hover{border-color:var(--link);color:var(--link)}
.title{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 24px;margin-bottom:14px}
.wide{flex:1 1 320px}
.wide input{flex:1;min-width:0;font-family:ui-monospace,"Cascadia Mono",Menlo,"Liberation Mono",monospace;font-size:13px}
.help{margin:8px 0 12px;font-size:13px}
.help p{margin:8px 0 4px;color:var(--muted)}
.help ul{display:flex;flex-wrap:wrap;gap:4px 20px}
.help .items{width:auto;margin-top:12px}
summary{cursor:pointer;color:var(--muted);width:fit-content}
summary:hover{color:var(--text)}
.pager,.pager ul{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px}
.pager p{margin-right:8px;color:var(--muted)}
.pager li>*{display:block;padding:4px 10px;border:1px solid var(--line);border-radius:6px;color:var(--muted)}
.pager a{background:var(--card);border-color:var(--strong);color:var(--link);text-decoration:none}
.pager a:hover{border-color:var(--link)}
.foot{justify-content:flex-end;margin-top:10px}
.legend{display:flex;flex-wrap:wrap;gap:2px 20px;margin:0 0 6px;color:var(--muted);font-size:12px}
.legend li{display:flex;align-items:center;gap:6px}
.scroll{position:relative;overflow:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
table{border-collapse:separate;border-spacing:0;width:100%;font-size:13px}
th,td{text-align:start;vertical-align:top;font-weight:400}
.list>*>tr>*{padding:6px 9px;border-bottom:1px solid var(--line);overflow-wrap:break-word}
.list>tbody>tr:last-child>*{border-bottom:0}
.list>tbody>tr:hover>*{background:var(--wash)}
.list>*>tr>.end,.list td data{white-space:nowrap}
.list .group{border-left:1px solid var(--line)}
.list>thead{position:sticky;top:0;z-index:2}
.list>thead th{background:var(--card);font-weight:600;font-size:12px;line-height:24px;vertical-align:bottom;white-space:nowrap;padding-block:3px;border-bottom-color:var(--strong)}
.list>thead th[scope=colgroup]{font-size:13px;border-bottom:0;padding-bottom:0;vertical-align:top}
.list>tbody>tr>th{background:var(--card)}
.end{text-align:end}
.sort{display:inline-block;color:inherit;text-decoration:none}
.sort:hover{color:var(--link);text-decoration:underline}
.sort.ascending,.sort.descending{color:var(--link)}
.sort.ascending::after{content:" \\2191";content:" \\2191"/""}
.sort.descending::after{content:" \\2193";content:" \\2193"/""}
.note{display:block;color:var(--muted);font-size:12px;font-weight:400;white-space:nowrap}
.over{color:var(--over);font-weight:600}
.under{color:var(--under);font-weight:600}
.pm{color:var(--muted)}
.compact td .key{display:none}
.compact>tbody>tr>th{min-width:130px;max-width:260px}
.compact thead th[rowspan].end{white-space:normal;max-width:96px}
.draw{display:block;overflow:visible;fill:none;stroke:var(--text);stroke-width:1.25}
td .draw{background:linear-gradient(var(--line),var(--line)) 0 50%/100% 1px no-repeat}
.range{stroke:var(--muted)}
.dev{fill:var(--box);stroke:none}
.avg{stroke-width:2}
.plan{fill:var(--card);stroke:var(--plan);stroke-width:1.75}

.open{all:unset;cursor:pointer;color:var(--link);font-weight:550;overflow-wrap:anywhere}
.open::after{content:"\\A0\\203A";content:"\\A0\\203A"/""}
.open:hover{text-decoration:underline;text-underline-offset:2px}
.open:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
.panel{position:fixed;inset:0 0 0 auto;width:min(560px,100vw);height:100dvh;max-height:none;margin:0;padding:20px 24px 32px;overflow:auto;border:0;border-left:1px solid var(--line);background:var(--card);color:var(--text);box-shadow:var(--shadow);font-size:14px}
.panel::backdrop{background:#0003}
.panel h2{font-size:19px;padding-right:96px;overflow-wrap:anywhere}
.panel .close{position:absolute;top:16px;right:24px}
.panel section{margin-top:18px}
dl>div{display:grid;grid-template-columns:minmax(110px,38%) 1fr;gap:12px;padding:5px 0;border-top:1px solid var(--line)}
dl>div:first-child{border-top:0}
dt{color:var(--muted)}
dd{white-space:pre-wrap;overflow-wrap:anywhere}
.items th,.items td{padding:5px 12px 5px 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.items thead>tr>*{border-top:0;color:var(--muted);font-size:12px}
.items .end{padding:5px 0 5px 12px}
.lead{font-size:17px;color:var(--muted);margin-top:2px;overflow-wrap:anywhere}
.cards{columns:420px;column-gap:16px;margin-top:16px}
.cards section{break-inside:avoid;margin-bottom:16px}
.cards section,.error{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px 20px}
.nothing{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:48px 24px;text-align:center;color:var(--muted)}
.error{max-width:760px;margin:24px auto;padding:28px 32px;overflow-wrap:anywhere}
.error h1{font-size:20px;line-height:1.4;letter-spacing:0;font-weight:600;margin-bottom:16px}
.error p,.error ul{margin-top:12px}
.error .status{margin:0 0 4px;color:var(--over);font-weight:650}
.error .status span,.english,.error .label{color:var(--muted);font-weight:400}
.error .label+*{margin-top:2px}
.error dl>div{grid-template-columns:32px 1fr}
.error li{border-left:2px solid var(--line);padding-left:14px}
.token{margin-top:20px;padding-top:16px;border-top:1px solid var(--line)}
.token input{flex:1 1 220px}
.token p{flex-basis:100%;margin:0;color:var(--muted);font-size:13px}
@supports not selector(:popover-open){.panel{display:none}}
@media (min-width:800px) and (min-height:560px){.scroll{max-height:max(420px,calc(100vh - 96px))}.list>tbody>tr>th{position:sticky;left:0;z-index:1}}
@media (max-width:640px){header,footer,main{padding-inline:14px}.error{padding:20px}.list>*>tr>*{padding-inline:7px}.pager p{flex-basis:100%}.panel{padding-inline:16px}.panel .close{right:16px}}
@media (prefers-contrast:more){:root{--muted:var(--text);--line:var(--text);--strong:var(--text)}}
@media (forced-colors:active){.draw{stroke:CanvasText}.plan{stroke:Highlight;fill:Canvas}.dev{fill:GrayText}}
@media print{@page{size:landscape;margin:10mm}:root{--page:#fff;--card:#fff;--text:#000;--muted:#444;--line:#bbb;--strong:#888;--link:#000;--over:#000;--under:#000;--plan:#000;--box:#ccc}body{font-size:9pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}header nav,header form,footer nav,.filter,.help,.pager ul,.skip,.token,.panel,.open::after{display:none}header,main,footer{padding:0 0 8px}.scroll{overflow:visible;max-height:none;border:0}.list{zoom:.7}.list>*>tr>*{padding:4px 8px}.list>thead,.list>tbody>tr>th{position:static}.list>thead{display:table-header-group}tr,section{break-inside:avoid}.open{color:#000}}
`;
