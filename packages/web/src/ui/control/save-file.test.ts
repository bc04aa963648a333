import { expect, onTestFinished, test, vi } from 'vitest'
import { saveFile } from './save-file.ts'

test('[DB-400] the address of a downloaded file stays until the browser has read it', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const revokeObjectURL = vi.fn()
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:file', revokeObjectURL })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  saveFile('trades.csv', new Blob(['a']))
  vi.advanceTimersByTime(10_000)
  expect(revokeObjectURL).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(revokeObjectURL).toHaveBeenCalledWith('blob:file')
})
