import { expect, test } from 'vitest'
import type { EngineConfig } from '#config/engines-file.ts'
import { type EngineUnit, type OpenEngine, serveOrClose } from './engine-unit.ts'
import { openInTurn } from './open-engines.ts'

test('[ENGINE-91] engines that are open when a later one fails are closed with their samples and folders', async () => {
  const closed: string[] = []
  const open = async (config: EngineConfig): Promise<OpenEngine> => {
    if (config.name === 'third') throw new Error('its journal is damaged')
    const note = (part: string) => closed.push(`${config.name} ${part}`)
    const parts = {
      engine: { close: async () => note('engine') },
      samples: { close: async () => note('samples') },
      folder: { release: () => note('folder') },
    }
    // Only what is closed of an engine is used here.
    return { config, ...parts } as unknown as OpenEngine
  }
  const configs = ['first', 'second', 'third', 'fourth'].map(
    (name): EngineConfig => ({ name, kind: 'embedded', traderId: 'TRADER-001' }),
  )
  await expect(openInTurn(configs, open)).rejects.toThrow('its journal is damaged')
  expect(closed.toSorted()).toEqual([
    ...['first engine', 'first folder', 'first samples'],
    ...['second engine', 'second folder', 'second samples'],
  ])
})

test('[ENGS-301] an engine that cannot be served is closed, so that it can be opened again', async () => {
  const closed: string[] = []
  // Only what is closed of an engine is used here.
  const opened = {
    engine: { close: async () => closed.push('engine') },
    samples: { close: async () => closed.push('samples') },
    folder: { release: () => closed.push('folder') },
  } as unknown as OpenEngine
  const unit = {
    stop: () => closed.push('recording'),
    close: async () => closed.push('unit'),
  } as unknown as EngineUnit
  const fails = () => Promise.reject(new Error('the app is not ready'))
  await expect(serveOrClose(opened, fails, async () => {})).rejects.toThrow('the app is not ready')
  expect(closed.splice(0)).toEqual(['engine', 'samples', 'folder'])
  await expect(serveOrClose(opened, async () => unit, fails)).rejects.toThrow('the app is not ready')
  expect(closed).toEqual(['recording', 'unit'])
})
