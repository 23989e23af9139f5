/** Light and dark by what the browser prefers; every pair of colours has a contrast of at least 4.5:1. */
export const STYLE = `
:root { color-scheme: light dark; --back: #f6f7f9; --card: #fff; --text: #1c2127; --quiet: #5f6b7c; --line: #d3d8de; --accent: #634dbf; --good: #165a36; --bad: #ac2f33; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --back: #1c2127; --card: #252a31; --text: #f6f7f9; --quiet: #abb3bf; --line: #404854; --accent: #bdadff; --good: #72ca9b; --bad: #fa999c; --on: #1c2127; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 16px; display: grid; gap: 16px; grid-template-columns: minmax(0, 340px) minmax(0, 1fr); align-items: start; }
@media (max-width: 800px) { main { grid-template-columns: minmax(0, 1fr); } }
header { grid-column: 1 / -1; } nav a { margin-right: 12px; } a { color: var(--accent); } h1 { font-size: 20px; margin: 0 0 4px; } h2 { font-size: 16px; margin: 0 0 8px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 16px; margin-bottom: 16px; overflow-wrap: anywhere; }
.title { display: flex; gap: 12px; align-items: center; } .title img { width: 32px; height: 32px; }
.quiet { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); } p { margin: 4px 0; } ul { margin: 4px 0; padding-left: 18px; }
label { display: block; font-weight: 600; margin-top: 12px; } input, select, textarea { width: 100%; padding: 6px 8px; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--quiet); border-radius: 4px; }
input[type=checkbox] { width: auto; } button { margin-top: 16px; padding: 8px 14px; font: inherit; font-weight: 600; color: var(--on); background: var(--accent); border: 0; border-radius: 4px; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 6px 8px; border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--quiet); font-weight: 600; }
iframe { display: block; width: 100%; height: 240px; border: 0; }
code, pre { font: 12px/1.5 ui-monospace, monospace; } pre { white-space: pre-wrap; margin: 0; }
`;

/** The page follows what changes in the folder. */
export const SCRIPT = `new EventSource('/changes').addEventListener('change', () => { location.replace(location.pathname); });`;
