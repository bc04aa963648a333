import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkBundle } from './check-bundle.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

const ORDERS = 'src/pages/trader/orders/orders-page.tsx'
const PART = 'src/pages/trader/orders/part.tsx'
const SHELL = 'src/app/shell/shell.tsx'

test('a site within the budgets passes, and its sizes are printed', () => {
  const { wrong, notes } = checkBundle(aSite({}))
  expect(wrong).toEqual([])
  expect(notes[0]).toMatch(/^the home page's first load is \d+\.\d kB gzipped$/)
})

test('[SHELL-11] planted: a home page over 210 kB, in entry, imports, styles and plain scripts together', () => {
  // Each part is under the budget by itself.
  const parts = { 'assets/main.js': 60, 'assets/react.js': 60, 'assets/main.css': 60, 'colours.js': 60 }
  const { wrong } = checkBundle(aSite(parts))
  expect(wrong).toEqual([
    expect.stringMatching(/^the home page weighs 2[345]\d{4} bytes gzipped; its budget is 210000\.$/),
  ])
})

test('planted: a lazily loaded home page is counted', () => {
  const { wrong } = checkBundle(aSite({ 'assets/home.js': 220 }))
  expect(wrong).toEqual([expect.stringMatching(/^the home page weighs 2\d{5} bytes/)])
})

test('planted: a route over its budget, in its own chunk or in one it imports', () => {
  const { wrong } = checkBundle(aSite({ 'assets/orders.js': 35, 'assets/table.js': 35 }))
  expect(wrong).toEqual([
    expect.stringMatching(/orders-page\.tsx weighs [67]\d{4} bytes gzipped; its budget is 60000\.$/),
  ])
})

test('chunks that home or the frame has loaded are not counted again', () => {
  expect(
    checkBundle(aSite({ 'assets/react.js': 70, 'assets/shell.js': 50, 'assets/orders.js': 50 })).wrong,
  ).toEqual([])
})

test('a part that one screen loads later is counted separately from that screen', () => {
  expect(checkBundle(aSite({ 'assets/orders.js': 50, 'assets/part.js': 50 })).wrong).toEqual([])
  expect(checkBundle(aSite({ 'assets/part.js': 70 })).wrong).toEqual([
    expect.stringMatching(/part\.tsx weighs 7\d{4} bytes gzipped; its budget is 60000\.$/),
  ])
})

test('a named route may be larger, and an unknown route name is an error', () => {
  const root = aSite(
    { 'assets/orders.js': 80 },
    { routeGzipBytesOf: { [ORDERS]: 90_000, 'src/gone.tsx': 1 } },
  )
  expect(checkBundle(root).wrong).toEqual(['budgets.json names src/gone.tsx, which is no route of its own.'])
})

test.each([
  [
    'a script',
    'packages/web/dist/index.html',
    '<script src="https://cdn.example/a.js"></script>',
    'https://cdn.example/a.js',
  ],
  [
    'a font',
    'packages/web/dist/assets/main.css',
    '@font-face{src:url(//fonts.example/a.woff2)}',
    '//fonts.example/a.woff2',
  ],
])('[SHELL-15] planted: %s from another host', (_, path, text, address) => {
  const { wrong } = checkBundle(aSite({}, {}, { [path]: text }))
  const file = path.replace('packages/web/dist/', '')
  expect(wrong).toEqual([`${file} loads ${address}: the site loads nothing from another host.`])
})

function aSite(
  kilobytes: Record<string, number>,
  budgets: object = {},
  files: Record<string, string> = {},
): string {
  const names = ['main.js', 'react.js', 'main.css', 'home.js', 'shell.js', 'orders.js', 'table.js', 'part.js']
  const assets = ['colours.js', ...names.map((name) => `assets/${name}`)]
  const page = '<script src="/colours.js"></script><script type="module" src="/assets/main.js"></script>'
  return temporaryFolder({
    'budgets.json': JSON.stringify({
      homeGzipBytes: 210_000,
      routeGzipBytes: 60_000,
      routeGzipBytesOf: {},
      ...budgets,
    }),
    'packages/web/dist/index.html': page,
    'packages/web/dist/.vite/manifest.json': JSON.stringify({
      'index.html': {
        file: 'assets/main.js',
        isEntry: true,
        imports: ['_react.js'],
        css: ['assets/main.css'],
      },
      '_react.js': { file: 'assets/react.js' },
      '_table.js': { file: 'assets/table.js', imports: ['_react.js'] },
      'src/pages/home/home-page.tsx': {
        file: 'assets/home.js',
        isDynamicEntry: true,
        imports: ['index.html'],
      },
      [SHELL]: { file: 'assets/shell.js', isDynamicEntry: true, imports: ['_react.js'] },
      [ORDERS]: {
        file: 'assets/orders.js',
        isDynamicEntry: true,
        imports: ['_react.js', '_table.js'],
        dynamicImports: [PART],
      },
      [PART]: { file: 'assets/part.js', isDynamicEntry: true, imports: ['_react.js', ORDERS] },
    }),
    ...Object.fromEntries(assets.map((path) => [`packages/web/dist/${path}`, noise(kilobytes[path] ?? 1)])),
    ...files,
  })
}

/** Text that compresses to about this many kilobytes. */
function noise(kilobytes: number): string {
  const blocks = Array.from({ length: kilobytes * 31.25 }, (_, index) =>
    createHash('sha256').update(`${kilobytes} ${index}`).digest('base64'),
  )
  return blocks.join('')
}
