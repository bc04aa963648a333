import type { Strategy, StrategyBar, StrategyContext, StrategyKind } from '#strategies/strategy.ts'
import { idFrom, type StrategyId } from '#values/ids.ts'
import { createLab, type Lab } from './lab.ts'

/** A strategy scripted by the test. */
interface Script {
  kind: StrategyKind
  onBar: (bar: StrategyBar, context: StrategyContext) => void
  onQuote: (context: StrategyContext) => void
  /** The closes of the bars it received. */
  closes: number[]
  /** The figures it states for the record of its orders. */
  signal?: Readonly<Record<string, number>>
}

function createScript(): Script {
  const script: Script = {
    onBar: () => {},
    onQuote: () => {},
    closes: [],
    kind: {
      type: 'scripted',
      title: 'Scripted',
      about: '',
      earnsWhen: '',
      losesWhen: '',
      parameters: [
        {
          name: 'size',
          label: 'Size',
          kind: 'integer',
          min: 1,
          max: 1_000_000,
          default: 1_000,
          description: 'How much.',
        },
        {
          name: 'instrument',
          label: 'Instrument',
          kind: 'instrument',
          default: 'BTCUSDT',
          description: 'What.',
        },
      ],
      create: (settings, instruments): Strategy => ({
        instruments: [instruments.get(idFrom(settings.text('instrument'))).id],
        interval: '1s',
        warmUpBars: 3,
        onBar: (bar, context) => {
          script.closes.push(bar.close)
          script.onBar(bar, context)
        },
        onQuote: (_slot, context) => script.onQuote(context),
        explain: () => script.signal ?? {},
      }),
    },
  }
  return script
}

/** A lab that runs a script as a strategy. */
interface ScriptedLab {
  script: Script
  lab: Lab
  id: StrategyId
  /** One second with one trade in it; the quote after it ends the bar before. */
  second: (at: number) => void
}

export function createScriptedLab(): ScriptedLab {
  const script = createScript()
  const lab = createLab({ kinds: [script.kind] })
  lab.quote({})
  const second = (at: number) => {
    lab.quote({ bid: at, ask: at + 1 })
    lab.trade({ price: at })
    lab.wait(1_000)
  }
  return { script, lab, id: lab.runStrategy('scripted'), second }
}
