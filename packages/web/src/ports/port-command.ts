import { type Command, type OnFailure, useCommand } from '#data/command.ts'
import type { Ports } from './controls.ts'
import { portKey } from './port-queries.ts'

export interface PortRequest {
  /** Names the pressed control, which is the command's subject: busy until the port has answered. */
  control: string
  run: () => Promise<unknown>
  onStart: () => void
  onDone: () => void
  onFailure: OnFailure<unknown>
}

/** A command to a port. It goes on when the screen is left, and the port is read again before it counts as done. */
export function usePortCommand(name: keyof Ports): Command<PortRequest> {
  return useCommand(
    {
      key: [...portKey(name), 'command'],
      subject: ({ control }: PortRequest) => control,
      send: ({ run }) => run(),
      reload: (client) => client.invalidateQueries({ queryKey: portKey(name) }),
    },
    {
      onStart: (request) => request.onStart(),
      onDone: (_, request) => request.onDone(),
      onFailure: (error, request, context) => request.onFailure(error, request, context),
    },
  )
}
