import { configureComponent, restartComponent, setComponent } from '#components/control.ts'
import { type Answer, type Core, DONE, emit, send } from '#core.ts'
import type { Command, OpenDesk } from '#input.ts'
import { cancelOrder } from '#orders/cancel.ts'
import { modifyOrder } from '#orders/modify.ts'
import { placeOrder } from '#orders/place.ts'
import { closePosition } from '#positions/close.ts'
import { changeTradingState, enterTradingState, watchDailyLoss } from '#risk/daily-loss.ts'
import { type LimitsGiven, parseAmount, parseLimits } from '#risk/limits.ts'
import {
  addStrategy,
  endStrategy,
  giveIntents,
  reconfigureStrategy,
  removeStrategy,
  startStrategy,
  stopStrategy,
} from '#strategies/control.ts'
import { refuse } from '#values/result.ts'
import { switchVenue } from '#venue/connect.ts'

/** Carries out a command, or says why not. */
export function obey(core: Core, command: Command): Answer {
  if (!core.state.isOpen && command.type !== 'OpenDesk') return refuse({ code: 'desk.not-open' })
  // The table's entry for a type takes exactly that type's command.
  return (HANDLERS[command.type] as Handler<Command>)(core, command)
}

type Handler<C> = (core: Core, command: C) => Answer
type Handlers = { readonly [Type in Command['type']]: Handler<Extract<Command, { type: Type }>> }

const HANDLERS: Handlers = {
  OpenDesk: openDesk,
  PlaceOrder: placeOrder,
  ModifyOrder: modifyOrder,
  CancelOrder: (core, { orderId }) => cancelOrder(core, orderId),
  ClosePosition: (core, { positionId, key }) => closePosition(core, positionId, key),
  ChangeLimits: (core, { limits }) => changeLimits(core, limits),
  ChangeTradingState: (core, { to, note }) => changeTradingState(core, to, note ?? ''),
  StartComponent: (core, { component }) => done(setComponent(core, component, 'running')),
  StopComponent: (core, { component }) => done(setComponent(core, component, 'stopped')),
  PauseComponent: (core, { component }) => done(setComponent(core, component, 'paused')),
  RestartComponent: (core, { component }) => done(restartComponent(core, component)),
  FailComponent: (core, { component, reason }) => done(setComponent(core, component, 'error', reason)),
  ConfigureComponent: (core, { component, config }) => configureComponent(core, component, config),
  ConnectVenue: (core, { venue }) => done(switchVenue(core, venue, true)),
  DisconnectVenue: (core, { venue }) => done(switchVenue(core, venue, false)),
  AddStrategy: addStrategy,
  StartStrategy: (core, { strategy }) => startStrategy(core, strategy),
  StopStrategy: (core, { strategy, why }) => stopStrategy(core, strategy, why ?? null),
  RemoveStrategy: (core, { strategy }) => removeStrategy(core, strategy),
  FailStrategy: (core, { strategy, reason }) => endStrategy(core, strategy, reason),
  ReconfigureStrategy: (core, { strategy, config }) => reconfigureStrategy(core, strategy, config),
  GiveIntents: (core, { strategy, intents }) => giveIntents(core, strategy, intents),
  RecordHalt: (core, { message }) => done(enterTradingState(core, 'HALTED', { code: 'fault', message })),
}

function openDesk(core: Core, command: OpenDesk): Answer {
  if (core.state.isOpen) return refuse({ code: 'desk.already-open' })
  const limits = parseLimits(command.limits)
  if (!limits.ok) return limits
  const cash = parseAmount('cash', command.cash)
  if (!cash.ok) return cash
  emit(core, { type: 'DeskOpened', cash: cash.value, limits: limits.value, venues: command.venues })
  for (const venue of command.venues) send(core, { type: 'connect', venue })
  return DONE
}

function changeLimits(core: Core, given: LimitsGiven): Answer {
  const limits = parseLimits(given)
  if (!limits.ok) return limits
  emit(core, { type: 'LimitsChanged', limits: limits.value, before: core.state.risk.limits })
  core.valuation.refresh(core.state)
  watchDailyLoss(core)
  return DONE
}

/** Answers what cannot be refused, once it is carried out. */
function done(_carriedOut: unknown): Answer {
  return DONE
}
