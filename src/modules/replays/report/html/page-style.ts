/** The style of the page, light and dark. */
export const pageStyle = `
:root{color-scheme:light dark;--text:#1f2328;--quiet:#59636e;--page:#f6f7f9;--box:#fff;--line:#d8dce1;--track:#eaedf0;
--original:#8c959f;--baseline:#7f9fc9;--candidate:#1f6feb;--better:#1a7f37;--worse:#c62828;--none:#656d76;
--removed:#ffd7d5;--added:#c8f0cf;--notice:#fff3cd;--link:#0b5cd5;
--exact:#2f8f4e;--unordered:#8cc79b;--arguments_differ:#e3a72f;--subset:#d9783c;--superset:#8f63c7;--different:#c62828;--not_run:#57606a}
@media (prefers-color-scheme:dark){:root{--text:#e6e8eb;--quiet:#9aa4af;--page:#0f1216;--box:#181c22;--line:#323942;--track:#272d35;
--original:#7d8792;--baseline:#5f83b5;--candidate:#5a9cff;--better:#56c271;--worse:#ff7b72;--none:#9aa4af;
--removed:#5c2326;--added:#1d4a2b;--notice:#453a14;--link:#79b0ff;
--exact:#3fa663;--unordered:#2d6a41;--arguments_differ:#d19a2a;--subset:#c96f37;--superset:#9b74d6;--different:#e5534b;--not_run:#8b949e}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);margin:0}
header,main{max-width:1180px;margin:0 auto;padding:0 1.5rem}
header{display:grid;grid-template-columns:1fr auto;gap:.25rem 2rem;padding-top:1.75rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .35rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2rem 0 .6rem}
p{margin:0}
.quiet{color:var(--quiet);font-size:.9rem}
.verdict{align-self:start;border:2px solid currentColor;border-radius:10px;padding:.35rem 1.1rem .5rem;font-size:1.35rem;font-weight:600;text-align:center}
.verdict .quiet{display:block;font-size:.75rem;font-weight:400}
.verdict.better,.badge.better{color:var(--better)}.verdict.worse,.badge.worse{color:var(--worse)}.verdict.none,.verdict.inconclusive,.badge.none,.badge.inconclusive,.badge.tie{color:var(--none)}
.lead{grid-column:1/-1;margin-top:.75rem;font-size:1.05rem}.lead.worse{border-left:4px solid var(--worse);padding-left:.75rem}
.outside{grid-column:1/-1;margin-top:.75rem;padding:.55rem .9rem;background:var(--box);border:1px solid var(--line);border-left:4px solid var(--better);border-radius:6px}
.notice{grid-column:1/-1;margin:.5rem 0;padding:.55rem .9rem;background:var(--notice);border-radius:6px}
.charts{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin-top:1rem}
figure{margin:0;padding:1rem 1.1rem;background:var(--box);border:1px solid var(--line);border-radius:8px;min-width:0}
figure.wide{grid-column:1/-1}
figcaption{font-weight:600;margin-bottom:.5rem}
svg{width:100%;height:auto;display:block}
svg text{fill:var(--text);font-size:14px}
svg .value{font-variant-numeric:tabular-nums}
svg .tick{fill:var(--quiet);font-size:12px}
svg .track{fill:var(--track)}
svg .grid{stroke:var(--line);stroke-dasharray:2 4}
svg .zero{stroke:var(--quiet)}
svg .whisker{stroke:var(--text);stroke-width:2}
svg .bar.baseline{fill:var(--baseline)}svg .bar.candidate{fill:var(--candidate)}
svg .estimate.better circle{fill:var(--better)}svg .estimate.worse circle{fill:var(--worse)}svg .estimate.none circle{fill:var(--none)}
svg .estimate.better .whisker{stroke:var(--better)}svg .estimate.worse .whisker{stroke:var(--worse)}svg .estimate.none .whisker{stroke:var(--none)}
.exact{fill:var(--exact);background:var(--exact)}.unordered{fill:var(--unordered);background:var(--unordered)}
.arguments_differ{fill:var(--arguments_differ);background:var(--arguments_differ)}.subset{fill:var(--subset);background:var(--subset)}
.superset{fill:var(--superset);background:var(--superset)}.different{fill:var(--different);background:var(--different)}
.not_run{fill:var(--not_run);background:var(--not_run)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;margin:.25rem 0 0;padding:0;font-size:.9rem}
.swatch{display:inline-block;width:.8rem;height:.8rem;border-radius:3px;margin-right:.4rem;vertical-align:-1px}
.scroll{overflow-x:auto;background:var(--box);border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.4rem .6rem;border-top:1px solid var(--line);white-space:nowrap}
thead tr *{border-top:0;color:var(--quiet);font-weight:500}
th:first-child{text-align:left;font-weight:500}
.badge{font-weight:600;font-size:.9rem;white-space:nowrap}
.filters{display:flex;flex-wrap:wrap;gap:.6rem 1rem;margin-bottom:.5rem}
.filters p:not([hidden]){display:flex;flex-direction:column}
.filters label{font-size:.85rem;color:var(--quiet)}
.filters .search{flex:1 1 16rem}
input,select,button{font:inherit;color:var(--text);background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.4rem .6rem}
button{cursor:pointer;padding:.4rem 1rem}button:disabled{opacity:.45;cursor:default}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
details{background:var(--box);border:1px solid var(--line);border-radius:8px;margin:.4rem 0}
summary{display:grid;grid-template-columns:3.2rem 7.5rem 1fr;gap:.1rem .75rem;padding:.6rem .9rem;cursor:pointer;list-style:none;align-items:baseline}
summary::-webkit-details-marker{display:none}
summary .position{color:var(--quiet);font-variant-numeric:tabular-nums}
summary .position::before{content:'▸ '}details[open] summary .position::before{content:'▾ '}
summary .message{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
summary .difference{grid-column:3;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--quiet);font-size:.9rem;overflow-wrap:anywhere}
.badge.passed{color:var(--better)}.badge.failed{color:var(--worse)}.badge.not-run{color:var(--none)}
.body{border-top:1px solid var(--line);padding:.9rem}
.body h3{font-size:.9rem;color:var(--quiet);font-weight:500;margin:.9rem 0 .3rem}.body>h3:first-child{margin-top:0}.scroll+.quiet{margin-top:.6rem}
.answers{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
pre{font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;background:var(--page);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;margin:0;max-height:24rem;overflow:auto}
del,ins{text-decoration:none;border-radius:3px}
del{background:var(--removed)}ins{background:var(--added)}
summary.plain{display:list-item;list-style:inside disclosure-closed}details[open] summary.plain{list-style-type:disclosure-open}
pre.body{border-width:1px 0 0;border-radius:0}
.reasons{margin:0;padding-left:1.2rem;overflow-wrap:anywhere}
.body table{margin-top:.2rem}.body td,.body th{white-space:normal}
.pages{display:flex;align-items:center;gap:1rem;margin:1rem 0 3rem}
@media (max-width:760px){header,.charts,.answers{grid-template-columns:1fr}summary{grid-template-columns:3rem 1fr}summary .message,summary .difference{grid-column:1/-1}}
`;
