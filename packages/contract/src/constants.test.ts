import { expect, test } from 'vitest'
import { DATA_PAGE_SIZE, PORTS, VERSION } from './constants.ts'

test('[CALL-1] the ports are 8000, 8001 and 8002', () => {
  expect(PORTS).toEqual({ trading: 8000, admin: 8001, database: 8002 })
})

test("[HOME-3] the version label is 'v1.0.0'", () => {
  expect(VERSION).toBe('v1.0.0')
})

test('[DB-8] a page of data has 50 rows', () => {
  expect(DATA_PAGE_SIZE).toBe(50)
})
