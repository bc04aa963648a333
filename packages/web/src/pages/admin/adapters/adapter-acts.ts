import { type ActionWords, actionWords } from '#ports/action-words.ts'
import type { AdapterControls, AdapterEntry } from '#ports/controls.ts'
import { copy } from './copy.ts'

/** One thing a button of this screen does: which button it is, what it calls and what it says. */
export interface AdapterAct {
  control: string
  run: () => Promise<void>
  words: ActionWords
}

/** What each button of one adapter does; Toggle asks for the opposite of the state shown. */
export function actsOn(port: AdapterControls, { id, name, status }: AdapterEntry) {
  const isConnected = status === 'connected'
  return {
    toggle: {
      control: `toggle ${id}`,
      run: () => port.setConnected(id, !isConnected),
      words: actionWords(port.kind, isConnected ? 'disconnect' : 'connect', name),
    },
    test: { control: `test ${id}`, run: () => port.test(id), words: testWords(port, name) },
    config: {
      control: `config ${id}`,
      run: () => port.configure(id),
      words: actionWords(port.kind, 'configure', name),
    },
  } satisfies Record<string, AdapterAct>
}

export function actsOnAll(port: AdapterControls) {
  return {
    connectAll: {
      control: 'all connect',
      run: () => port.setAllConnected(true),
      words: actionWords(port.kind, 'connect', copy.all),
    },
    disconnectAll: {
      control: 'all disconnect',
      run: () => port.setAllConnected(false),
      words: actionWords(port.kind, 'disconnect', copy.all),
    },
    testAll: { control: 'all test', run: () => port.testAll(), words: testWords(port, copy.all) },
  } satisfies Record<string, AdapterAct>
}

/** ADAPT-4: the specification gives the words of a passed test. */
function testWords({ kind }: AdapterControls, name: string): ActionWords {
  return { ...actionWords(kind, 'test', name), done: copy.testPassed(kind, name) }
}
