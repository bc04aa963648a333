import type { Parameter, StrategyKind } from '@binnacle/engine'
import { Hearing } from './hearing.ts'
import { demandModule } from './module-file.ts'

const PARAMETERS: readonly Parameter[] = [
  {
    name: 'module',
    kind: 'text',
    maxLength: 100,
    default: 'example.ts',
    sentence: 'The file in the folder strategies of the data folder that holds the strategy.',
  },
  {
    name: 'instruments',
    kind: 'instruments',
    min: 1,
    max: 8,
    default: ['BTCUSDT-PERP'],
    sentence: 'What it hears of and may trade.',
  },
  {
    name: 'interval',
    kind: 'interval',
    default: '1s',
    sentence: 'The length of the bars that it listens to.',
  },
  {
    name: 'warm_up_bars',
    kind: 'integer',
    min: 0,
    max: 512,
    default: 20,
    sentence: 'How many bars it must have heard, those of the past included, before it may trade.',
  },
  {
    name: 'parameters',
    kind: 'json',
    maxLength: 10_000,
    default: {},
    sentence: 'Anything that the module itself wants to know.',
  },
]

/** The kind of strategy that is the user's own module; the host takes what it hears to the module's process. */
export function createCustomKind(
  folder: string,
  onHeard: (hearing: Hearing) => void = () => {},
): StrategyKind {
  return {
    type: 'custom',
    title: 'Custom',
    about:
      'Runs your own TypeScript or JavaScript module from the folder strategies of the data folder, in a process of its own that reaches neither the network nor any other file. The User Guide tells what a module can use.',
    earnsWhen: 'Your idea is better than the fees and the spread that it pays.',
    losesWhen:
      'It is not, or the module fails: then it is stopped and marked with the reason, its orders are cancelled, and what it holds stays until someone closes it.',
    parameters: PARAMETERS,
    create(settings, instruments) {
      const must = demandModule(folder, settings.text('module'))
      return must === null ? new Hearing(settings, instruments, onHeard) : { parameter: 'module', must }
    },
  }
}
