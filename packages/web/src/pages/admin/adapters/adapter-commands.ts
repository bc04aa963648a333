import { type ActionMessages, actionMessages } from '#ports/action-messages.ts'
import type { AdapterControls, AdapterEntry } from '#ports/controls.ts'
import { copy } from './copy.ts'

/** What one button does: its control id, its call and its messages. */
export interface AdapterCommand {
  control: string
  run: () => Promise<void>
  messages: ActionMessages
}

/** The commands of one adapter. Toggle requests the opposite of the shown state. */
export function commandsFor(port: AdapterControls, { id, name, status }: AdapterEntry) {
  const isConnected = status === 'connected'
  return {
    toggle: {
      control: `toggle ${id}`,
      run: () => port.setConnected(id, !isConnected),
      messages: actionMessages(port.kind, isConnected ? 'disconnect' : 'connect', name),
    },
    test: { control: `test ${id}`, run: () => port.test(id), messages: testMessages(port, name) },
    config: {
      control: `config ${id}`,
      run: () => port.configure(id),
      messages: actionMessages(port.kind, 'configure', name),
    },
  } satisfies Record<string, AdapterCommand>
}

export function bulkCommands(port: AdapterControls) {
  return {
    connectAll: {
      control: 'all connect',
      run: () => port.setAllConnected(true),
      messages: actionMessages(port.kind, 'connect', copy.all),
    },
    disconnectAll: {
      control: 'all disconnect',
      run: () => port.setAllConnected(false),
      messages: actionMessages(port.kind, 'disconnect', copy.all),
    },
    testAll: { control: 'all test', run: () => port.testAll(), messages: testMessages(port, copy.all) },
  } satisfies Record<string, AdapterCommand>
}

/** ADAPT-4: the specification defines the message of a passed test. */
function testMessages({ kind }: AdapterControls, name: string): ActionMessages {
  return { ...actionMessages(kind, 'test', name), done: copy.testPassed(kind, name) }
}
