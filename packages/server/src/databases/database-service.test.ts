import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { newAdminStore } from '#testkit/admin-store.ts'
import { openDatabaseService } from './database-service.ts'

test('what an export left when the server was killed is gone at the next start', async () => {
  const { store } = await newAdminStore()
  const dataFolder = temporaryFolder()
  const left = join(dataFolder, 'exports', 'export-a1b2c3')
  mkdirSync(left, { recursive: true })
  writeFileSync(join(left, 'rows.jsonl'), '{}')
  const service = openDatabaseService({ store, dataFolder })
  onTestFinished(() => service.close())
  expect(existsSync(left)).toBe(false)
  expect(statSync(service.scratch).mode & 0o777).toBe(0o700)
})
