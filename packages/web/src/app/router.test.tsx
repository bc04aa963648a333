import { CAPABILITIES, engine, instruments, service } from '@binnacle/contract'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { screenFiles } from '#screen-files.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { preloadScreen, screens } from './router.tsx'

const modules = import.meta.glob<Record<string, unknown>>('../pages/**/*-page.tsx')

test('[SHELL-43] every screen has its files listed', () => {
  expect(Object.keys(screenFiles).toSorted()).toEqual(screens.map(([path]) => path).toSorted())
})

test.each(screens)('[SHELL-43] the module listed for %s is the one that shows it', async (path, Screen) => {
  const listed = modules[screenFiles[path]?.module.replace('src/', '../') ?? '']
  expect(Object.values((await listed?.()) ?? {})).toContain((await Screen.load()).default)
})

const withCalls = Object.entries(screenFiles).filter(([, { calls }]) => calls.length > 0)

test.each(withCalls)('[SHELL-43] %s sends the calls that are listed for it', async (path, { calls }) => {
  const api = createFakeApi()
  const capabilities = CAPABILITIES.filter((name) => name !== 'stream')
  api.on(service.capabilities, { capabilities })
  // Without it Components has nothing to show the details of.
  api.on(engine.systemInfo, { components: [] })
  // Without one Market Data has no market to show.
  api.on(instruments.list, { instruments: [{ id: 'BTCUSDT' }] })
  // Outside of the wait: the first screen loads slowly on a busy machine.
  await preloadScreen(path)
  renderConsole(path)
  await waitFor(() =>
    expect(api.everyCall().map((call) => call.path + call.query)).toEqual(expect.arrayContaining([...calls])),
  )
})
