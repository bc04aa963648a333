import type { CreateStrategy } from './binnacle.ts'

export const createStrategy: CreateStrategy = ({ instruments, parameters }) => {
  console.log('trading', instruments[0]?.id, 'with', parameters)
  return {
    onBar(bar, desk) {
      if (!desk.isLive) return
      console.log(bar.instrument, 'closed at', bar.close, 'we hold', desk.position())
    },
  }
}
