import type { Strategy, StrategyBar, StrategyDesk, StrategyKind } from '#strategies/strategy.ts'
import { idFrom } from '#values/ids.ts'

/** A strategy that does what the test says. */
export interface Script {
  kind: StrategyKind
  onBar: (bar: StrategyBar, desk: StrategyDesk) => void
  onQuote: (desk: StrategyDesk) => void
  /** The closes of the bars it was told. */
  heard: number[]
}

export function createScript(): Script {
  const script: Script = {
    onBar: () => {},
    onQuote: () => {},
    heard: [],
    kind: {
      type: 'scripted',
      title: 'Scripted',
      about: '',
      earnsWhen: '',
      losesWhen: '',
      parameters: [
        { name: 'size', kind: 'integer', min: 1, max: 1_000_000, default: 1_000, sentence: 'How much.' },
        { name: 'instrument', kind: 'instrument', default: 'BTCUSDT', sentence: 'What.' },
      ],
      create: (settings, instruments): Strategy => ({
        instruments: [instruments.get(idFrom(settings.text('instrument'))).id],
        interval: '1s',
        warmUpBars: 3,
        onBar: (bar, desk) => {
          script.heard.push(bar.close)
          script.onBar(bar, desk)
        },
        onQuote: (_slot, desk) => script.onQuote(desk),
      }),
    },
  }
  return script
}
