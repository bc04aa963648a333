const packages = require('./tools/source/packages.json')
const engineLayers = require('./tools/source/engine-layers.json')

const anyPackage = Object.values(packages).map(({ folder }) => `^${folder}/`)
const test = '\\.test(-d)?\\.tsx?$'
const testkit = '/testkit/'
const web = '^packages/web/src'
const server = '^packages/server/src'
const engine = '^packages/engine/src'

/** The three apps of the server. */
const apps = 'trading|admin|databases?'
/** The files of a layer of the engine; those of the root are one, without the entry of the package. */
const engineLayer = (layer) =>
  layer === 'root' ? `${engine}/(?!index\\.ts$)[^/]+\\.ts$` : `${engine}/${layer}/`

/**
 * Dependencies between packages come from the table. Those inside a package are patterns, so a new page or
 * route is covered without a change here. Cycles between folders are checked in tools/check-dependencies.ts.
 */
module.exports = {
  forbidden: [
    ...Object.entries(packages).map(([name, { folder, mayImport }]) =>
      forbid(
        `package ${name}`,
        `${name} may import ${mayImport.join(', ') || 'no other package'}`,
        { path: `^${folder}/` },
        {
          path: anyPackage,
          pathNot: [`^${folder}/`, ...mayImport.map((other) => `^${packages[other].folder}/`)],
        },
      ),
    ),
    forbid(
      'package entry',
      'another package is imported through its index.ts only',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/(testkit/)?index\\.ts$'] },
    ),
    forbid(
      'contract uses zod',
      'contract imports zod and nothing else',
      { path: '^packages/contract/src/', pathNot: [test] },
      { pathNot: ['^packages/contract/', '^node_modules/zod/', ...anyPackage] },
    ),
    forbid(
      'engine imports nothing',
      'the engine imports nothing',
      { path: `${engine}/`, pathNot: [test, testkit] },
      { pathNot: ['^packages/engine/', ...anyPackage] },
    ),
    forbid(
      'engine tests',
      'tests of the engine use Vitest and fast-check only',
      { path: [`${engine}/.*${test}`, `${engine}${testkit}`] },
      { pathNot: ['^packages/engine/', '^node_modules/(vitest|fast-check)/', ...anyPackage] },
    ),
    ...engineLayers.map((layer, index) =>
      forbid(
        `engine layer ${layer}`,
        `${layer} of the engine imports only layers below it`,
        { path: engineLayer(layer), pathNot: [test] },
        { path: [...engineLayers.slice(index + 1).map(engineLayer), `${engine}/index\\.ts$`] },
      ),
    ),
    forbid(
      'app is the top',
      'nothing in web imports app, except main.tsx and prerender.tsx',
      { path: `${web}/`, pathNot: [`${web}/app/`, `${web}/(main|prerender)\\.tsx$`, test, testkit] },
      { path: `${web}/app/` },
    ),
    forbid(
      'page to page',
      'a screen never imports another screen',
      { path: `${web}/pages/((?:admin|trader)/[^/]+|[^/]+)/` },
      { path: `${web}/pages/`, pathNot: [`${web}/pages/$1/`] },
    ),
    forbid(
      'ui',
      'ui imports no data, state, ports, pages or contract',
      { path: `${web}/ui/` },
      { path: [`${web}/(data|state|ports|pages)/`, '^packages/contract/'] },
    ),
    forbid(
      'data',
      'data imports no markup, texts, toasts or screens',
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
      'ports and state',
      'ports and state import no markup and no screens',
      { path: `${web}/(ports|state)/`, pathNot: [test] },
      { path: [`${web}/(ui|pages)/`, '^node_modules/@mantine/'] },
    ),
    forbid(
      'format',
      'format turns values into text and imports nothing',
      { path: `${web}/format/`, pathNot: [test] },
      { pathNot: [`${web}/format/`] },
    ),
    forbid(
      'app to app',
      'trading, admin and databases never import one another',
      { path: `${server}/(${apps})/`, pathNot: [test] },
      { path: `${server}/(${apps})/`, pathNot: [`${server}/$1/`] },
    ),
    forbid(
      'below the apps',
      'services, http, storage and runtime import none of the apps',
      { path: `${server}/(services|http|storage|runtime)/`, pathNot: [test] },
      { path: `${server}/(${apps})/` },
    ),
    forbid(
      'runtime is for trading',
      'admin, databases, services, http and storage do not import the running desk',
      { path: `${server}/(admin|databases?|services|http|storage)/`, pathNot: [test] },
      { path: `${server}/(trading/)?runtime/` },
    ),
    forbid(
      'below the services',
      'http and storage import no service',
      { path: `${server}/(http|storage)/`, pathNot: [test] },
      { path: `${server}/services/` },
    ),
    forbid(
      'storage',
      'storage imports no HTTP',
      { path: `${server}/storage/`, pathNot: [test] },
      { path: [`${server}/http/`, '^node_modules/@?fastify/'] },
    ),
    forbid(
      'workers',
      'what runs in a worker imports no app, route or HTTP code, directly or through another file',
      { path: `${server}/.*[.-]worker\\.ts$` },
      { path: [`${server}/http/`, `${server}/.*(\\.routes|/app)\\.ts$`], reachable: true },
    ),
    forbid(
      'main is the top',
      'nothing in server imports main.ts or server.ts, except index.ts and main.ts',
      { path: `${server}/`, pathNot: [test, testkit, `${server}/(index|main)\\.ts$`] },
      { path: `${server}/(main|server)\\.ts$` },
    ),
    forbid(
      'server root',
      'only main, server, config, index and commands started by npm lie in the root of server',
      { path: `${server}/(main|index)\\.ts$` },
      { path: `${server}/[^/]+\\.ts$`, pathNot: [`${server}/(main|server|config|index|restore)\\.ts$`] },
    ),
    forbid(
      'tests stay outside',
      'the product never imports a test or a testkit',
      { path: '^packages/', pathNot: [test, testkit] },
      { path: ['\\.test(-d)?\\.tsx?$', testkit] },
    ),
    forbid('no cycle', 'files must not import one another in a circle', {}, { circular: true }),
    // The documentation screen imports the repository's own texts through Vite, whose build fails on a missing one.
    forbid(
      'resolves',
      'the imported file does not exist',
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
