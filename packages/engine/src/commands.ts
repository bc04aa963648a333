import { changeComponentStatus, configureComponent, restartComponent } from '#handlers/components.ts'
import { switchVenue } from '#handlers/connections.ts'
import { endEmergency, startEmergency } from '#handlers/emergency.ts'
import { restartService, switchFeature, switchService } from '#handlers/features.ts'
import {
  addStrategy,
  limitStrategyLoss,
  reconfigureStrategy,
  removeStrategy,
  renameStrategy,
  reportStrategyFailure,
  startStrategy,
  stopStrategy,
  submitIntents,
} from '#handlers/strategies.ts'
import type { Command, OpenDesk } from '#model/input.ts'
import type { RawLimits } from '#model/risk.ts'
import { cancelOrder } from '#orders/cancel.ts'
import { closePosition } from '#orders/close-position.ts'
import { changeExits } from '#orders/exits.ts'
import { modifyOrder } from '#orders/modify.ts'
import { placeOrder } from '#orders/place.ts'
import { changeTradingState, enforceDailyLoss, enterTradingState } from '#orders/trading-state.ts'
import { areSameLimits, parseAmount, parseLimits } from '#risk/limits.ts'
import { emit, send } from '#step/record.ts'
import { type CommandAnswer, DONE } from '#step/step-core.ts'
import type { StrategyCore } from '#strategies/runtime/running-strategies.ts'
import { refuse } from '#values/result.ts'

/** Executes a command, or returns why it is refused. */
export function handleCommand(core: StrategyCore, command: Command): CommandAnswer {
  if (!core.state.isOpen && command.type !== 'OpenDesk') return refuse({ code: 'desk.not-open' })
  // The table's entry for a type takes exactly that type's command.
  return (HANDLERS[command.type] as Handler<Command>)(core, command)
}

type Handler<C> = (core: StrategyCore, command: C) => CommandAnswer
type Handlers = { readonly [Type in Command['type']]: Handler<Extract<Command, { type: Type }>> }

const HANDLERS: Handlers = {
  OpenDesk: handleOpenDesk,
  PlaceOrder: placeOrder,
  ModifyOrder: modifyOrder,
  CancelOrder: (core, { orderId }) => cancelOrder(core, orderId),
  ClosePosition: closePosition,
  ChangeExits: changeExits,
  ChangeLimits: (core, { limits }) => changeLimits(core, limits),
  ChangeTradingState: (core, { to, note }) => changeTradingState(core, to, note ?? ''),
  StartComponent: (core, { component }) => changeComponentStatus(core, component, 'running'),
  StopComponent: (core, { component }) => changeComponentStatus(core, component, 'stopped'),
  PauseComponent: (core, { component }) => changeComponentStatus(core, component, 'paused'),
  RestartComponent: (core, { component }) => restartComponent(core, component),
  FailComponent: (core, { component, reason }) => changeComponentStatus(core, component, 'error', reason),
  ConfigureComponent: (core, { component, config }) => configureComponent(core, component, config),
  SwitchFeature: (core, { feature, isEnabled }) => switchFeature(core, feature, isEnabled),
  StartService: (core, { service }) => switchService(core, service, true),
  StopService: (core, { service }) => switchService(core, service, false),
  RestartService: (core, { service }) => restartService(core, service),
  ConnectVenue: (core, { venue }) => switchVenue(core, venue, true),
  DisconnectVenue: (core, { venue }) => switchVenue(core, venue, false),
  AddStrategy: addStrategy,
  StartStrategy: (core, { strategy }) => startStrategy(core, strategy),
  StopStrategy: (core, { strategy, why }) => stopStrategy(core, strategy, why ?? null),
  RemoveStrategy: (core, { strategy }) => removeStrategy(core, strategy),
  FailStrategy: (core, { strategy, reason }) => reportStrategyFailure(core, strategy, reason),
  ReconfigureStrategy: (core, { strategy, config }) => reconfigureStrategy(core, strategy, config),
  RenameStrategy: (core, { strategy, name }) => renameStrategy(core, strategy, name),
  LimitStrategyLoss: (core, { strategy, limit }) => limitStrategyLoss(core, strategy, limit),
  SubmitIntents: submitIntents,
  StartEmergency: startEmergency,
  EndEmergency: (core) => endEmergency(core, 'ended'),
  RecordHalt: (core, { message }) => recordHalt(core, message),
}

function handleOpenDesk(core: StrategyCore, command: OpenDesk): CommandAnswer {
  if (core.state.isOpen) return refuse({ code: 'desk.already-open' })
  const limits = parseLimits(command.limits)
  if (!limits.ok) return limits
  const cash = parseAmount('cash', command.cash)
  if (!cash.ok) return cash
  emit(core, { type: 'DeskOpened', cash: cash.value, limits: limits.value, venues: command.venues })
  for (const venue of command.venues) send(core, { type: 'connect', venue })
  return DONE
}

function changeLimits(core: StrategyCore, given: RawLimits): CommandAnswer {
  const limits = parseLimits(given)
  if (!limits.ok) return limits
  const before = core.state.risk.limits
  if (areSameLimits(limits.value, before)) return DONE
  emit(core, { type: 'LimitsChanged', limits: limits.value, before })
  core.valuation.refresh(core.state)
  enforceDailyLoss(core)
  return DONE
}

function recordHalt(core: StrategyCore, message: string): CommandAnswer {
  enterTradingState(core, 'HALTED', { code: 'fault', message })
  return DONE
}
