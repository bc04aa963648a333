import type { Parameter, StrategyKind } from '@binnacle/engine'
import { CustomStrategyProxy } from './custom-strategy-proxy.ts'
import { checkModule } from './module-file.ts'

const PARAMETERS: readonly Parameter[] = [
  {
    name: 'module',
    label: 'Module',
    kind: 'text',
    maxLength: 100,
    default: 'example.ts',
    description: 'File in strategies/ of the data folder',
  },
  {
    name: 'instruments',
    label: 'Instruments',
    kind: 'instruments',
    min: 1,
    max: 8,
    default: ['BTCUSDT-PERP'],
    description: 'Instruments it receives and may trade',
  },
  {
    name: 'interval',
    label: 'Bar interval',
    kind: 'interval',
    default: '1s',
    description: 'Length of its bars',
  },
  {
    name: 'warm_up_bars',
    label: 'Warm-up bars',
    kind: 'integer',
    min: 0,
    max: 512,
    default: 20,
    description: 'Bars it must have received, recorded ones included, before it may trade',
  },
  {
    name: 'parameters',
    label: 'Module parameters (JSON)',
    kind: 'json',
    maxLength: 10_000,
    default: {},
    description: 'JSON passed to the module as `parameters`',
  },
]

/** The strategy kind for users' own modules. The host delivers its updates to the module's process. */
export function createCustomKind(
  folder: string,
  onUpdate: (proxy: CustomStrategyProxy) => void = () => {},
): StrategyKind {
  return describeCustomKind((settings, instruments) => {
    const requirement = checkModule(folder, settings.text('module'))
    return requirement === null
      ? new CustomStrategyProxy(settings, instruments, onUpdate)
      : { parameter: 'module', requirement }
  })
}

/** The texts and parameters of the kind, around the strategy that stands for the module. */
export function describeCustomKind(create: StrategyKind['create']): StrategyKind {
  return {
    type: 'custom',
    title: 'Custom',
    about:
      'Runs your own TypeScript or JavaScript module from strategies/ in the data folder, in a separate process without access to the network or other files. The User Guide describes what a module can use.',
    earnsWhen: 'Your idea is better than the fees and the spread that it pays.',
    losesWhen:
      'It is not. If the module fails, the strategy is stopped with the reason and its orders are cancelled; its position stays open until you close it.',
    parameters: PARAMETERS,
    create,
  }
}
