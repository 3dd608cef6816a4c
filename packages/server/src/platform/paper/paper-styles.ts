/**
 * Always white: it is paper. A4 with the page number at the foot of each page where it is printed. Rows of up to seven
 * lines stay together by orphans and widows: of thousands of rows `break-inside: avoid` takes almost half of the time.
 */
export const paperStyles = `
@page { size: A4; margin: 15mm 16mm 18mm; @bottom-right { content: "page " counter(page) " of " counter(pages); font: 8px sans-serif; color: #5c5c66; } }
* { box-sizing: border-box; }
html { background: #e4e4e7; color-scheme: light; }
body { margin: 0; font: 10.5px/15px Inter, "Helvetica Neue", Arial, sans-serif; color: #1c1c22; font-variant-numeric: tabular-nums; }
main { background: #fff; max-width: 210mm; min-height: 297mm; margin: 24px auto; padding: 44px 48px 30px; overflow-wrap: break-word; }
h1 { font-size: 21px; line-height: 27px; font-weight: 600; margin: 0; }
h2 { font-size: 13px; line-height: 18px; font-weight: 600; margin: 22px 0 6px; break-after: avoid; }
h3 { font-size: 10.5px; line-height: 15px; font-weight: 600; margin: 14px 0 4px; break-after: avoid; }
p { margin: 4px 0; }
.subtitle, .before, .small, .legend, footer, .sources { color: #5c5c66; }
.note { border: 1px solid #c9c9d1; border-radius: 3px; padding: 6px 10px; margin: 12px 0; }
.lead { font-size: 13px; line-height: 19px; font-weight: 600; margin: 10px 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(100px, 1fr)); margin: 12px 0; border: solid #c9c9d1; border-width: 1px 0; break-inside: avoid; }
.figures div { padding: 8px 10px; border-left: 1px solid #dcdce2; }
.figures div:first-child { border-left: 0; padding-left: 0; }
.figures dd { margin: 0; font-size: 16px; line-height: 22px; font-weight: 600; }
.figures dd.before { font-size: 9px; line-height: 12px; font-weight: 400; min-height: 12px; }
sup { font-size: 7px; line-height: 0; margin-left: 2px; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
td { orphans: 4; widows: 4; }
th, td { text-align: left; vertical-align: top; padding: 3px 12px 3px 0; border-bottom: 1px solid #dcdce2; font-weight: 400; }
th { color: #5c5c66; }
.long { overflow-wrap: anywhere; }
.number { text-align: right; }
td:last-child, th:last-child { padding-right: 0; }
.bar { display: grid; grid-template-columns: 28% 1fr 20%; gap: 12px; align-items: center; border-bottom: 1px solid #dcdce2; padding: 2px 0; break-inside: avoid; }
.bar i { height: 4px; background: #ececf0; }
.bar b { display: block; height: 4px; background: #7a7a85; }
.bar b.warning { background: #8a5300; }
svg { display: block; width: 100%; break-inside: avoid; }
svg text { font-size: 7.5px; fill: #5c5c66; }
svg .tick { stroke: #e4e4e9; stroke-width: 0.75; }
svg .limit { stroke: #8a5300; stroke-width: 1; stroke-dasharray: 3 2; }
svg text.limit { stroke: none; fill: #8a5300; }
polyline { fill: none; stroke-width: 1.25; }
polyline.curve-0 { stroke: #5b4bd1; } polyline.curve-1 { stroke: #0f766e; stroke-dasharray: 5 2; } polyline.curve-2 { stroke: #8a5300; stroke-dasharray: 2 2; }
polyline.curve-3 { stroke: #b3261e; stroke-dasharray: 7 2 2 2; } polyline.curve-4 { stroke: #1d6fb8; stroke-dasharray: 1 2; } polyline.curve-5 { stroke: #555; stroke-dasharray: 9 3; }
.legend span { margin-right: 14px; }
.legend span::before { content: ""; display: inline-block; width: 12px; height: 2px; margin-right: 5px; vertical-align: middle; background: currentColor; }
.legend .curve-0::before { background: #5b4bd1; } .legend .curve-1::before { background: #0f766e; } .legend .curve-2::before { background: #8a5300; }
.legend .curve-3::before { background: #b3261e; } .legend .curve-4::before { background: #1d6fb8; } .legend .curve-5::before { background: #555; }
.sources { list-style: none; margin: 0; padding: 0; font-size: 8.5px; line-height: 12px; }
footer { margin-top: 24px; padding-top: 6px; border-top: 1px solid #dcdce2; font-size: 8.5px; line-height: 12px; }
@media print { html { background: #fff; } main { margin: 0; padding: 0; max-width: none; min-height: 0; } }
@media (max-width: 640px) { main { margin: 0; padding: 24px 16px; } table { display: block; overflow-x: auto; font-size: 9.5px; } th, td { padding-right: 8px; } }
`
