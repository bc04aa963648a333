import type { Graph } from './graph.ts'

interface Box {
  name: string
  folders: string[]
  x: number
  y: number
  height: number
}

const WIDTH = 190
const LINE = 19
const HEAD = 44
/** Position of a label along its arrow. The middle is where most arrows cross. */
const LABEL_AT = 0.4

/** Column and row of each package. No arrow crosses a box: what imports many packages is in the second row. */
const PLACES: Record<string, [column: number, row: number]> = {
  web: [0, 0],
  contract: [1, 0],
  server: [2, 0],
  engine: [3, 0],
  nautilus: [4, 0],
  tools: [0, 1],
  bench: [1, 1],
  stores: [2, 1],
  sandbox: [3, 1],
  e2e: [4, 1],
}

const STYLE = `
    text { font: 14px system-ui, sans-serif; fill: #1f2933; }
    .name { font-weight: 600; font-size: 16px; }
    .folder, .count { fill: #5b6770; font-size: 13px; }
    .box { fill: #f7f8f9; stroke: #b8c1c8; }
    .arrow { stroke: #5b6770; stroke-width: 1.5; fill: none; marker-end: url(#tip); }
    .tip { fill: #5b6770; }
    .plate { fill: #ffffff; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e4e7ea; }
      .folder, .count { fill: #9aa5ad; }
      .box { fill: #1b2126; stroke: #46525b; }
      .arrow { stroke: #9aa5ad; }
      .tip { fill: #9aa5ad; }
      .plate { fill: #12171b; }
    }`

/** Draws the packages; the same graph always gives the same text. */
export function drawSvg({ packages, dependencies }: Graph): string {
  const boxes = placeBoxes(packages)
  const width = Math.max(...boxes.map(({ x }) => x + WIDTH)) + 30
  const height = Math.max(...boxes.map((box) => box.y + box.height)) + 30
  const at = (name: string) => boxes.find((box) => box.name === name)
  const arrows = dependencies.flatMap(({ from, to, files }) => {
    const [start, end] = [at(from), at(to)]
    return start && end ? [drawArrow(start, end, files)] : []
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    '  <title id="title">The packages of Binnacle and how many files of each import another</title>',
    `  <style>${STYLE}\n  </style>`,
    '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
    '    <path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>',
    `  <rect class="plate" width="${width}" height="${height}"/>`,
    ...boxes.map(drawBox),
    ...arrows.map(({ line }) => line),
    ...arrows.map(({ label }) => label),
    '</svg>',
    '',
  ].join('\n')
}

function placeBoxes(packages: Graph['packages']): Box[] {
  const heightOf = (folders: string[]) => HEAD + Math.max(1, folders.length) * LINE + 10
  const inTopRow = packages.filter(({ name }) => PLACES[name]?.[1] === 0)
  const secondRow = Math.max(0, ...inTopRow.map(({ folders }) => heightOf(folders))) + 110
  return packages.map(({ name, folders }) => {
    const [column, row] = placeOf(name)
    return {
      name,
      folders,
      x: 30 + column * (WIDTH + 90),
      y: row === 0 ? 30 : secondRow,
      height: heightOf(folders),
    }
  })
}

/** A package without a place would be drawn over another one. */
function placeOf(name: string): [column: number, row: number] {
  const place = PLACES[name]
  if (place === undefined) throw new Error(`${name} has no place on the map: add it in tools/map/svg.ts.`)
  return place
}

function drawBox({ name, folders, x, y, height }: Box): string {
  const folder = (text: string, index: number) =>
    `    <text class="folder" x="${x + 16}" y="${y + HEAD + 14 + index * LINE}">${text}</text>`
  return [
    `  <g>`,
    `    <rect class="box" x="${x}" y="${y}" width="${WIDTH}" height="${height}" rx="6"/>`,
    `    <text class="name" x="${x + 16}" y="${y + 29}">${name}</text>`,
    ...folders.map((text, index) => folder(`${text}/`, index)),
    '  </g>',
  ].join('\n')
}

/** Labels are drawn after all lines, so that no line crosses a number. */
function drawArrow(from: Box, to: Box, files: number): { line: string; label: string } {
  const [x1, y1] = edgeTowards(from, to)
  const [x2, y2] = edgeTowards(to, from)
  const [x, y] = [round(x1 + (x2 - x1) * LABEL_AT), round(y1 + (y2 - y1) * LABEL_AT)]
  return {
    line: `  <path class="arrow" d="M${x1} ${y1} ${x2} ${y2}"/>`,
    label: [
      `  <rect class="plate" x="${x - 14}" y="${y - 11}" width="28" height="20" rx="3"/>`,
      `  <text class="count" x="${x}" y="${y + 4}" text-anchor="middle">${files}</text>`,
    ].join('\n'),
  }
}

/** Arrows between boxes of one row start at the sides, at the height of the name; others at top and bottom. */
function edgeTowards(box: Box, other: Box): [number, number] {
  if (box.y === other.y) return [box.x < other.x ? box.x + WIDTH + 4 : box.x - 4, box.y + 24]
  const lean = Math.sign(other.x - box.x) * (WIDTH / 4)
  return [box.x + WIDTH / 2 + lean, box.y < other.y ? box.y + box.height + 4 : box.y - 4]
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
