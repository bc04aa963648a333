import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { parseConfig } from '#config.ts'
import { startServer } from '#main.ts'
import { testEnvironment } from '#testkit/running-server.ts'
import { checkOwnStores } from './own-store-check.ts'

test('[ADM-16] intact stores have no fault; a damaged page, a changed journal entry and a missing file are named', async () => {
  const env = testEnvironment()
  const server = await startServer(parseConfig(env))
  await server.close(5000)
  const at = (...names: string[]) => join(env.BINNACLE_DATA ?? '', ...names)
  const paths = {
    adminFile: at('admin.sqlite'),
    journalFile: at('journal.sqlite'),
    archiveFolder: at('journal-archive'),
    ordersFile: at('orders.sqlite'),
    samplesFile: at('samples.sqlite'),
  }
  const faults = async () =>
    Object.fromEntries((await checkOwnStores(paths)).map(({ store, fault }) => [store, fault]))
  expect(await faults()).toEqual({
    admin: undefined,
    journal: undefined,
    orders: undefined,
    samples: undefined,
  })

  const journal = new DatabaseSync(paths.journalFile)
  journal.exec("UPDATE entries SET text = replace(text, '1', '2') WHERE seq = (SELECT min(seq) FROM entries)")
  journal.close()
  const handle = openSync(paths.adminFile, 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, statSync(paths.adminFile).size - 4096)
  closeSync(handle)
  const found = await checkOwnStores({ ...paths, ordersFile: at('gone.sqlite') })
  expect(found).toMatchObject([
    { store: 'admin', fault: expect.stringContaining('is damaged') },
    { store: 'journal', fault: expect.stringMatching(/entry \d+/) },
    { store: 'orders', fault: `${at('gone.sqlite')} is missing.` },
    { store: 'samples', fault: undefined },
  ])
})
