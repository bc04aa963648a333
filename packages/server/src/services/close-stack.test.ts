import { expect, test } from 'vitest'
import { CloseStack, closeInOrder } from './close-stack.ts'

test('[START-300] a step of closing that fails skips none of the later ones, and is thrown in the end', async () => {
  const closed: string[] = []
  const stack = new CloseStack()
  stack.add(() => closed.push('first'))
  stack.add(() => Promise.reject(new Error('stuck')))
  stack.add(() => closed.push('last'))
  await expect(stack.close(0)).rejects.toThrow('stuck')
  expect(closed).toEqual(['last', 'first'])
  await stack.close(0)
  expect(closed).toHaveLength(2)
})

test('[START-300] all faults are thrown', async () => {
  const fails = (why: string) => () => {
    throw new Error(why)
  }
  await expect(closeInOrder(0, [fails('one'), fails('two')])).rejects.toMatchObject({
    errors: [{ message: 'one' }, { message: 'two' }],
  })
})

test('[START-300] the steps share one deadline', async () => {
  let nowMs = 0
  const graces: number[] = []
  const step = (graceMs: number) => {
    graces.push(graceMs)
    nowMs += 6_000
  }
  await closeInOrder(10_000, [step, step, step], () => nowMs)
  expect(graces).toEqual([10_000, 4_000, 0])
})
