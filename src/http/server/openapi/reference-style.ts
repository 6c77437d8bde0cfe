/** How the reference looks, by day and by night. */
export const referenceStyle = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #3a3a3a); --soft: light-dark(#f5f5f4, #242424); }
body { display: grid; grid-template-columns: 17rem minmax(0, 52rem); gap: 2.5rem; margin: 0 1.5rem;
  font: 16px/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem 0; font-size: .9rem; }
nav h2 { font-size: .8rem; text-transform: uppercase; margin: 1rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
section { border-top: 1px solid var(--line); padding: .5rem 0 1.5rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid var(--line); padding: .3rem .6rem .3rem 0; vertical-align: top; }
td table { margin: -.3rem 0; }
td table tr:first-child td { border-top: 0; }
pre.call { background: var(--soft); padding: .6rem .8rem; border-radius: 6px; overflow: auto; }
code { background: var(--soft); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
small { opacity: .75; }
summary { cursor: pointer; padding: .3rem 0; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } }
`;
