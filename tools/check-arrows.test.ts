import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkArrows } from './check-arrows.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

test('a tree whose arrows all point the right way passes', async () => {
  const { wrong, notes } = await checkArrows(aTree())
  expect(wrong).toEqual([])
  expect(notes).toEqual(['6 files seen, 5 arrows'])
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
    says: 'packages/contract/src/endpoint.ts imports packages/engine/src/index.ts: contract may import no other room.',
  },
  {
    planted: 'something imports tools',
    files: { 'packages/server/src/main.ts': "import '../../../tools/start.ts'", 'tools/start.ts': '' },
    says: 'packages/server/src/main.ts imports tools/start.ts: server may import contract, engine.',
  },
  {
    planted: 'an end-to-end journey imports a package',
    files: { 'e2e/orders.journey.ts': "import '@binnacle/contract'" },
    says: 'e2e/orders.journey.ts imports packages/contract/src/index.ts: e2e may import no other room.',
  },
  {
    planted: 'a package is entered by a side door',
    files: { 'packages/server/src/main.ts': "import '../../contract/src/endpoint.ts'" },
    says: 'packages/server/src/main.ts imports packages/contract/src/endpoint.ts: another package is entered through its index.ts only.',
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
    says: 'packages/web/src/pages/home/home-page.tsx imports packages/web/src/app/router.tsx: nothing in web imports app, except main.tsx.',
  },
  {
    planted: 'ui knows the contract',
    files: { 'packages/web/src/ui/badge.tsx': "import '@binnacle/contract'" },
    says: 'packages/web/src/ui/badge.tsx imports packages/contract/src/index.ts: ui knows no data, state, ports, pages or contract.',
  },
  {
    planted: 'data raises a toast',
    files: {
      'packages/web/src/data/orders.ts': "import '#state/toasts.ts'",
      'packages/web/src/state/toasts.ts': '',
    },
    says: 'packages/web/src/data/orders.ts imports packages/web/src/state/toasts.ts: data knows no markup, words, toasts or screens.',
  },
  {
    planted: 'one app of the server imports another',
    files: {
      'packages/server/src/admin/app.ts': "import '#trading/app.ts'",
      'packages/server/src/trading/app.ts': '',
    },
    says: 'packages/server/src/admin/app.ts imports packages/server/src/trading/app.ts: trading, admin and database never import one another.',
  },
  {
    planted: 'http imports an app',
    files: {
      'packages/server/src/http/mount.ts': "import '#admin/app.ts'",
      'packages/server/src/admin/app.ts': '',
    },
    says: 'packages/server/src/http/mount.ts imports packages/server/src/admin/app.ts: http, storage and runtime import none of the apps.',
  },
  {
    planted: 'two files import each other, if only for types',
    files: {
      'packages/engine/src/engine.ts': "import type { B } from './desk.ts'\nexport type A = B",
      'packages/engine/src/desk.ts': "import type { A } from './engine.ts'\nexport type B = A",
    },
    says: 'packages/engine/src/desk.ts imports packages/engine/src/engine.ts: two files that need each other are one idea.',
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
    planted: 'an import leads nowhere',
    files: { 'packages/server/src/main.ts': "import './gone.ts'" },
    says: 'packages/server/src/main.ts imports ./gone.ts: an import must lead somewhere.',
  },
  {
    planted: 'an import climbs two folders',
    files: {
      'packages/web/src/pages/home/home-page.tsx': "import '../../paths.ts'",
      'packages/web/src/paths.ts': '',
    },
    says: "packages/web/src/pages/home/home-page.tsx imports ../../paths.ts: use the package's # imports instead.",
  },
  {
    planted: 'a manifest lists a room it may not import',
    files: { 'packages/web/package.json': manifest('web', ['contract', 'engine']) },
    says: 'packages/web/package.json lists @binnacle/engine, which web may not import.',
  },
]

test.each(CASES)('planted: $planted', async ({ files, says }) => {
  const { wrong } = await checkArrows(aTree(files))
  expect(wrong).toContain(says)
})

test('a tree without sources is no success', async () => {
  await expect(checkArrows(temporaryFolder({ 'README.md': '' }))).rejects.toThrow('There is no source under')
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
  for (const room of ['contract', 'engine', 'server', 'web']) {
    symlinkSync(join(root, 'packages', room), join(root, 'node_modules/@binnacle', room))
  }
  return root
}

function manifest(room: string, rooms: string[] = []): string {
  return JSON.stringify({
    name: `@binnacle/${room}`,
    type: 'module',
    exports: { '.': './src/index.ts' },
    imports: { '#*': './src/*' },
    dependencies: Object.fromEntries(rooms.map((other) => [`@binnacle/${other}`, '1.0.0'])),
  })
}
