import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { useCommand } from './command.ts'
import { createQueryClient } from './query-client.ts'

function renderCommand() {
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const removed = vi.fn()
  const { result, rerender } = renderHook(
    () =>
      useCommand(
        { key: ['things', 'change'], send: (request: 'fail' | 'pass') => answer(request) },
        { onFailure: () => removed },
      ),
    { wrapper },
  )
  return {
    run: (request: 'fail' | 'pass') => act(async () => result.current.run(request)),
    rerender,
    removed,
  }
}

async function answer(request: 'fail' | 'pass'): Promise<void> {
  if (request === 'fail') throw new Error('no answer')
}

test('[CLIENT-16] the message of the last try is removed once, at the next try', async () => {
  const { run, removed } = renderCommand()
  await run('fail')
  expect(removed).not.toHaveBeenCalled()
  await run('pass')
  await run('pass')
  expect(removed).toHaveBeenCalledOnce()
})

test('[CLIENT-400] a command without a stored key reads no storage while it is drawn', () => {
  const read = vi.spyOn(Storage.prototype, 'getItem')
  const { rerender } = renderCommand()
  rerender()
  expect(read).not.toHaveBeenCalled()
})
