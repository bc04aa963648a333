import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDependencies } from './check-dependencies.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

test('a tree with allowed dependencies passes', async () => {
  const { wrong, notes } = await checkDependencies(aTree())
  expect(wrong).toEqual([])
  expect(notes).toEqual(['6 files, 5 imports'])
})

const CASES: { planted: string; files: Record<string, string>; says: string }[] = [
  {
    planted: 'the console imports the server',
    files: { 'packages/web/src/main.tsx': "import '@binnacle/server'" },
    says: 'packages/web/src/main.tsx imports packages/server/src/index.ts: web may import contract.',
  },
  {
    planted: 'the contract imports the engine',
    files: { 'packages/contract/src/endpoint.ts': "import '@binnacle/engine'" },
    says: 'packages/contract/src/endpoint.ts imports packages/engine/src/index.ts: contract may import no other package.',
  },
  {
    planted: 'something imports tools',
    files: { 'packages/server/src/main.ts': "import '../../../tools/start.ts'", 'tools/start.ts': '' },
    says: 'packages/server/src/main.ts imports tools/start.ts: server may import contract, engine, sandbox, stores, nautilus.',
  },
  {
    planted: 'an end-to-end journey imports a package',
    files: { 'e2e/orders.journey.ts': "import '@binnacle/contract'" },
    says: 'e2e/orders.journey.ts imports packages/contract/src/index.ts: e2e may import no other package.',
  },
  {
    planted: 'a package is imported past its index.ts',
    files: { 'packages/server/src/main.ts': "import '../../contract/src/endpoint.ts'" },
    says: 'packages/server/src/main.ts imports packages/contract/src/endpoint.ts: another package is imported through its index.ts only.',
  },
  {
    planted: 'the engine imports a module of Node',
    files: { 'packages/engine/src/engine.ts': "import 'node:fs'" },
    says: 'packages/engine/src/engine.ts imports fs: the engine imports nothing.',
  },
  {
    planted: 'a screen imports another screen',
    files: {
      'packages/web/src/pages/trader/orders/orders-page.tsx': "import '#pages/trader/risk/copy.ts'",
      'packages/web/src/pages/trader/risk/copy.ts': '',
    },
    says: 'packages/web/src/pages/trader/orders/orders-page.tsx imports packages/web/src/pages/trader/risk/copy.ts: a screen never imports another screen.',
  },
  {
    planted: 'a screen imports app',
    files: {
      'packages/web/src/pages/home/home-page.tsx': "import '#app/router.tsx'",
      'packages/web/src/app/router.tsx': '',
    },
    says: 'packages/web/src/pages/home/home-page.tsx imports packages/web/src/app/router.tsx: nothing in web imports app, except main.tsx and prerender.tsx.',
  },
  {
    planted: 'ui imports the contract',
    files: { 'packages/web/src/ui/badge.tsx': "import '@binnacle/contract'" },
    says: 'packages/web/src/ui/badge.tsx imports packages/contract/src/index.ts: ui imports no data, state, ports, pages or contract.',
  },
  {
    planted: 'data raises a toast',
    files: {
      'packages/web/src/data/orders.ts': "import '#state/toasts.ts'",
      'packages/web/src/state/toasts.ts': '',
    },
    says: 'packages/web/src/data/orders.ts imports packages/web/src/state/toasts.ts: data imports no markup, texts, toasts or screens.',
  },
  {
    planted: 'one app of the server imports another',
    files: {
      'packages/server/src/admin/app.ts': "import '#trading/app.ts'",
      'packages/server/src/trading/app.ts': '',
    },
    says: 'packages/server/src/admin/app.ts imports packages/server/src/trading/app.ts: trading, admin and databases never import one another.',
  },
  {
    planted: 'http imports an app',
    files: {
      'packages/server/src/http/mount.ts': "import '#admin/app.ts'",
      'packages/server/src/admin/app.ts': '',
    },
    says: 'packages/server/src/http/mount.ts imports packages/server/src/admin/app.ts: services, http, storage and runtime import none of the apps.',
  },
  {
    planted: 'a service imports an app',
    files: {
      'packages/server/src/services/audit.ts': "import '#databases/app.ts'",
      'packages/server/src/databases/app.ts': '',
    },
    says: 'packages/server/src/services/audit.ts imports packages/server/src/databases/app.ts: services, http, storage and runtime import none of the apps.',
  },
  {
    planted: 'storage imports HTTP',
    files: {
      'packages/server/src/storage/journal.ts': "import '#http/problems.ts'",
      'packages/server/src/http/problems.ts': '',
    },
    says: 'packages/server/src/storage/journal.ts imports packages/server/src/http/problems.ts: storage imports no HTTP.',
  },
  {
    planted: 'folders import one another through a third',
    files: {
      'packages/web/src/state/theme.ts': "import '#format/colour.ts'",
      'packages/web/src/format/colour.ts': "import '#data/client.ts'",
      'packages/web/src/data/client.ts': "import '#state/connection.ts'",
      'packages/web/src/state/connection.ts': '',
    },
    says: 'packages/web/src/state and packages/web/src/format import one another: packages/web/src/state/theme.ts imports packages/web/src/format/colour.ts.',
  },
  {
    planted: 'two files import each other, if only for types',
    files: {
      'packages/engine/src/engine.ts': "import type { B } from './desk.ts'\nexport type A = B",
      'packages/engine/src/desk.ts': "import type { A } from './engine.ts'\nexport type B = A",
    },
    says: 'packages/engine/src/desk.ts imports packages/engine/src/engine.ts: files must not import one another in a circle.',
  },
  {
    planted: 'the product imports a testkit',
    files: {
      'packages/engine/src/engine.ts': "import './testkit/builders.ts'",
      'packages/engine/src/testkit/builders.ts': '',
    },
    says: 'packages/engine/src/engine.ts imports packages/engine/src/testkit/builders.ts: the product never imports a test or a testkit.',
  },
  {
    planted: 'an import of a missing file',
    files: { 'packages/server/src/main.ts': "import './gone.ts'" },
    says: 'packages/server/src/main.ts imports ./gone.ts: the imported file does not exist.',
  },
  {
    planted: 'a layer of the engine imports the entry of its package',
    files: { 'packages/engine/src/views/views.ts': "import '#index.ts'" },
    says: 'packages/engine/src/views/views.ts imports packages/engine/src/index.ts: views of the engine imports only layers below it.',
  },
  {
    planted: 'a folder of the engine that is no layer',
    files: { 'packages/engine/src/signals/signal.ts': '' },
    says: 'packages/engine/src/signals is missing in tools/source/engine-layers.json.',
  },
  {
    planted: 'a manifest lists a package it may not import',
    files: { 'packages/web/package.json': manifest('web', ['contract', 'engine']) },
    says: 'packages/web/package.json lists @binnacle/engine, which web may not import.',
  },
]

test.each(CASES)('planted: $planted', async ({ files, says }) => {
  const { wrong } = await checkDependencies(aTree(files))
  expect(wrong).toContain(says)
})

test('planted: each layer of the engine imports the one above it', async () => {
  const ups = [
    ['values', 'model/a.ts'],
    ['model', 'state/a.ts'],
    ['state', 'market/a.ts'],
    ['market', 'risk/a.ts'],
    ['risk', 'venue/a.ts'],
    ['venue', 'step/a.ts'],
    ['step', 'orders/a.ts'],
    ['orders', 'strategies/a.ts'],
    ['strategies', 'handlers/a.ts'],
    ['handlers', 'journal/a.ts'],
    ['journal', 'views/a.ts'],
    ['views', 'engine.ts'],
    ['backtest', 'performance/a.ts'],
  ] as const
  const files = ups.map(([layer, above]) => [`packages/engine/src/${layer}/a.ts`, `import '#${above}'`])
  const { wrong } = await checkDependencies(
    aTree({
      'packages/engine/src/engine.ts': "import '#backtest/a.ts'",
      'packages/engine/src/performance/a.ts': '',
      ...Object.fromEntries(files),
    }),
  )
  expect(wrong).toHaveLength(14)
  for (const [layer, above] of ups) {
    expect(wrong).toContain(
      `packages/engine/src/${layer}/a.ts imports packages/engine/src/${above}: ${layer} of the engine imports only layers below it.`,
    )
  }
  expect(wrong).toContain(
    'packages/engine/src/engine.ts imports packages/engine/src/backtest/a.ts: root of the engine imports only layers below it.',
  )
})

test('http and storage import no service', async () => {
  const { wrong } = await checkDependencies(
    aTree({
      'packages/server/src/http/listener.ts': "import '#services/jobs.ts'",
      'packages/server/src/services/jobs.ts': '',
    }),
  )
  expect(wrong).toEqual([
    'packages/server/src/http/listener.ts imports packages/server/src/services/jobs.ts: http and storage import no service.',
  ])
})

test('a tree without sources is an error', async () => {
  await expect(checkDependencies(temporaryFolder({ 'README.md': '' }))).rejects.toThrow(
    'There is no source under',
  )
})

function aTree(files: Record<string, string> = {}): string {
  const root = temporaryFolder({
    'packages/contract/package.json': manifest('contract'),
    'packages/contract/src/index.ts': "export * from './endpoint.ts'",
    'packages/contract/src/endpoint.ts': 'export const METHODS = []',
    'packages/engine/package.json': manifest('engine'),
    'packages/engine/src/index.ts': '',
    'packages/server/package.json': manifest('server', ['contract', 'engine']),
    'packages/server/src/index.ts': "export * from '#config.ts'",
    'packages/server/src/config.ts': "import '@binnacle/contract'\nimport '@binnacle/engine'",
    'packages/web/package.json': manifest('web', ['contract']),
    'packages/web/src/main.tsx': "import '@binnacle/contract'",
    'e2e/package.json': manifest('e2e'),
    ...files,
  })
  mkdirSync(join(root, 'node_modules/@binnacle'), { recursive: true })
  for (const name of ['contract', 'engine', 'server', 'web']) {
    symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@binnacle', name))
  }
  return root
}

function manifest(name: string, dependencies: string[] = []): string {
  return JSON.stringify({
    name: `@binnacle/${name}`,
    type: 'module',
    exports: { '.': './src/index.ts' },
    imports: { '#*': './src/*' },
    dependencies: Object.fromEntries(dependencies.map((other) => [`@binnacle/${other}`, '1.0.0'])),
  })
}
