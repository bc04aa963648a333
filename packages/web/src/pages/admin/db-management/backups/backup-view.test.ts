import { describe, expect, test } from 'vitest'
import { canRestore, createdText, sizeText, toneOfBackup } from './backup-view.ts'

const aBackup = { id: 1, backup_type: 'full', backup_size: 0, status: 'completed', created_at: '' }

describe('a backup', () => {
  test.each([
    ['completed', true],
    ['running', false],
    ['failed', false],
    ['Completed', false],
    ['', false],
  ])('[DB-22] with status %j can be restored: %s', (status, isRestorable) => {
    expect(canRestore({ ...aBackup, status })).toBe(isRestorable)
  })

  test('[FMT-3] shows its size, or that it is not known', () => {
    expect(sizeText({ ...aBackup, backup_size: 20_480 })).toBe('20 KB')
    expect(sizeText({ ...aBackup, backup_size: null })).toBe('—')
  })

  test('[DB-21] is announced in KB, and without a number if the backend sends no size', () => {
    expect(createdText(5_505_024)).toBe('Backup created: 5376 KB')
    expect(createdText(undefined)).toBe('Backup created')
  })

  test('has the tone of its status', () => {
    expect(toneOfBackup(aBackup)).toBe('good')
    expect(toneOfBackup({ ...aBackup, status: 'failed' })).toBe('bad')
    expect(toneOfBackup({ ...aBackup, status: 'verifying' })).toBe('calm')
  })
})
