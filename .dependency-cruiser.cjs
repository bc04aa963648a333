const rooms = require('./tools/source/rooms.json')

const anyRoom = Object.values(rooms).map(({ folder }) => `^${folder}/`)
const test = '\\.test(-d)?\\.tsx?$'
const testkit = '/testkit/'
const web = '^packages/web/src'
const server = '^packages/server/src'
const apps = 'trading|admin|database'

/** Arrows between rooms come from the table; those inside a room are patterns, so a new page is covered at birth. */
module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, { folder, mayImport }]) => ({
      name: `room ${room}`,
      comment: `${room} may import ${mayImport.join(', ') || 'no other room'}`,
      severity: 'error',
      from: { path: `^${folder}/` },
      to: {
        path: anyRoom,
        pathNot: [`^${folder}/`, ...mayImport.map((other) => `^${rooms[other].folder}/`)],
      },
    })),
    forbid(
      'public door',
      'another package is entered through its index.ts only',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/(testkit/)?index\\.ts$'] },
    ),
    forbid(
      'contract uses zod',
      'contract imports zod and nothing else',
      { path: '^packages/contract/src/', pathNot: [test] },
      { pathNot: ['^packages/contract/', '^node_modules/zod/', ...anyRoom] },
    ),
    forbid(
      'engine is alone',
      'the engine imports nothing',
      { path: '^packages/engine/src/', pathNot: [test, testkit] },
      { pathNot: ['^packages/engine/', ...anyRoom] },
    ),
    forbid(
      'engine tests',
      'tests of the engine use Vitest and fast-check only',
      { path: [`^packages/engine/src/.*${test}`, `^packages/engine/src${testkit}`] },
      { pathNot: ['^packages/engine/', '^node_modules/(vitest|fast-check)/', ...anyRoom] },
    ),
    forbid(
      'app is the top',
      'nothing in web imports app, except main.tsx',
      { path: `${web}/`, pathNot: [`${web}/app/`, `${web}/main\\.tsx$`, test, testkit] },
      { path: `${web}/app/` },
    ),
    forbid(
      'page to page',
      'a screen never imports another screen',
      { path: `${web}/pages/((?:admin|trader)/[^/]+|[^/]+)/` },
      { path: `${web}/pages/`, pathNot: [`${web}/pages/$1/`] },
    ),
    forbid(
      'ui is looks',
      'ui knows no data, state, ports, pages or contract',
      { path: `${web}/ui/` },
      { path: [`${web}/(data|state|ports|pages)/`, '^packages/contract/'] },
    ),
    forbid(
      'data has no face',
      'data knows no markup, words, toasts or screens',
      { path: `${web}/data/`, pathNot: [test] },
      {
        path: [
          `${web}/(ui|state|ports|pages)/`,
          `${web}/data/.*\\.tsx$`,
          '^node_modules/(@mantine|sonner|react-dom|react-router)/',
        ],
      },
    ),
    forbid(
      'ports and state have no face',
      'ports and state know no markup and no screens',
      { path: `${web}/(ports|state)/`, pathNot: [test] },
      { path: [`${web}/(ui|pages)/`, '^node_modules/@mantine/'] },
    ),
    forbid(
      'format is plain',
      'format turns values into text and imports nothing',
      { path: `${web}/format/`, pathNot: [test] },
      { pathNot: [`${web}/format/`] },
    ),
    forbid(
      'app to app',
      'trading, admin and database never import one another',
      { path: `${server}/(${apps})/` },
      { path: `${server}/(${apps})/`, pathNot: [`${server}/$1/`] },
    ),
    forbid(
      'below the apps',
      'http, storage and runtime import none of the apps',
      { path: `${server}/(http|storage|runtime)/`, pathNot: [test] },
      { path: `${server}/(${apps})/` },
    ),
    forbid(
      'runtime is for trading',
      'admin and database do not touch the running desk',
      { path: `${server}/(admin|database|http|storage)/`, pathNot: [test] },
      { path: `${server}/runtime/` },
    ),
    forbid(
      'main is the top',
      "nothing in server imports main.ts, except the package's door",
      { path: `${server}/`, pathNot: [test, testkit, `${server}/index\\.ts$`] },
      { path: `${server}/main\\.ts$` },
    ),
    forbid(
      'tests stay outside',
      'the product never imports a test or a testkit',
      { path: '^packages/', pathNot: [test, testkit] },
      { path: ['\\.test(-d)?\\.tsx?$', testkit] },
    ),
    forbid('no cycle', 'two files that need each other are one idea', {}, { circular: true }),
    // The documentation screen takes the repository's own texts through Vite, whose build misses what is missing.
    forbid(
      'resolves',
      'an import must lead somewhere',
      {},
      { couldNotResolve: true, pathNot: ['^@repository/'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.cache)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      importsFields: ['imports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}

function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to }
}
