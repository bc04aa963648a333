export {
  BACKTEST_REVISION,
  type Backtest,
  type BacktestOptions,
  createBacktest,
  type Hosted,
  type LockStep,
} from '#backtest/backtest.ts'
export {
  expectedBestSharpe,
  type Moments,
  momentsOf,
  probabilisticSharpe,
} from '#backtest/deflated-sharpe.ts'
export { CURVE_POINTS, type EquityCurve } from '#backtest/equity-curve.ts'
export {
  checkLookAhead,
  type DecidingRun,
  decisionsIn,
  type LookAheadReport,
} from '#backtest/look-ahead.ts'
export type { BacktestReport } from '#backtest/recorder.ts'
export type { BacktestStatistics } from '#backtest/statistics.ts'
export { type BacktestTrade, MAX_TRADES } from '#backtest/trade-log.ts'
export { componentConfig } from '#handlers/component-settings.ts'
export { decodeEntries, decodeEntry, type EncodedEntry, encodeEntry, encodeForBoth } from '#journal/codec.ts'
export type { Journal } from '#journal/journal.ts'
export { createMemoryJournal } from '#journal/memory-journal.ts'
export { fold, journalGap, recover } from '#journal/replay.ts'
export { decodeSnapshot, encodeSnapshot, type Snapshot } from '#journal/snapshot.ts'
export { aggregateBars } from '#market/aggregate.ts'
export { type Bar, type BarBuilder, barEnd, createBarBuilder } from '#market/bar.ts'
export { DEPTH_LEVELS, type DepthLevel, depthOf } from '#market/depth.ts'
export {
  type BarColumns,
  createColumns,
  generateHistory,
  type HistoryDay,
  type HistoryOptions,
} from '#market/history.ts'
export { createInstruments, type Instruments, standardInstruments } from '#market/instruments.ts'
export type { Marks } from '#market/marks.ts'
export type { MarketState } from '#market/price-process.ts'
export { createRandom, type Random } from '#market/random.ts'
export { createReplayFeed, ticksOfBars } from '#market/replay-feed.ts'
export { createSimulatedMarket, type SimulatedMarket } from '#market/simulated-market.ts'
export { COMPONENT_NAMES, type ComponentName, type ComponentStatus } from '#model/component.ts'
export { describeReason, type Reason } from '#model/describe.ts'
export type { Event, EventType, OrderEvent, OrderFilled } from '#model/event.ts'
export {
  type AccountKind,
  FEATURE_NAMES,
  type FeatureName,
  SERVICE_NAMES,
  type ServiceName,
} from '#model/feature.ts'
export type {
  AddStrategy,
  Command,
  CommandReceived,
  Input,
  ModifyOrder,
  OpenDesk,
  PlaceOrder,
  TimerFired,
  VenueReport,
  VenueReports,
} from '#model/input.ts'
export {
  createInstrument,
  type Instrument,
  type InstrumentKind,
  PRIMARY_VENUE,
  VENUE_IDS,
  type VenueId,
} from '#model/instrument.ts'
export { barStart, INTERVAL_MS, INTERVALS, type Interval } from '#model/interval.ts'
export { type CommandOrigin, ENTRY_VERSION, type JournalEntry, type Moment } from '#model/journal-entry.ts'
export {
  type KeyedOrder,
  ORDER_TYPES,
  type OrderTerms,
  type OrderType,
  TIMES_IN_FORCE,
  type TimeInForce,
} from '#model/order.ts'
export type { CheckFigure, OrderBasis, OrderIntent } from '#model/order-basis.ts'
export type {
  CancelCause,
  Conflict,
  Denial,
  MalformedInput,
  Refusal,
  VenueRejection,
} from '#model/reasons.ts'
export {
  DEFAULT_LIMITS,
  type RawLimits,
  TRADING_STATES,
  type TradingState,
  type TradingStateReason,
} from '#model/risk.ts'
export type { Intent, OrderOptions, StrategyStatus } from '#model/strategy.ts'
export type { BarTick, Feed, MarketTick, QuoteTick, Side, TradeTick } from '#model/tick.ts'
export { parseAnyPrice, parseOrder } from '#orders/parse-order.ts'
export type { LimitUse, OrderPreview, PreviewPart } from '#orders/preview.ts'
export {
  amountsOf,
  CALENDAR_UNITS,
  type CalendarReturn,
  type CalendarUnit,
  type DayClose,
  returnsBy,
  rollingSharpe,
  sharpeOf,
} from '#performance/calendar.ts'
export { correlationOf } from '#performance/correlation.ts'
export { type EquityFigures, type EquitySample, measureEquity } from '#performance/equity-figures.ts'
export {
  backtestLoss,
  estimateLoss,
  LOSS_METHODS,
  type LossBacktest,
  type LossMethod,
} from '#performance/loss-methods.ts'
export { STRESS_SCENARIOS, type StressedPosition, stress } from '#performance/stress.ts'
export { addTrade, noTrades, ratiosOfTrades, slippageOf, type TradeSums } from '#performance/trade-sums.ts'
export { parseAmount, parseLimits } from '#risk/limits.ts'
export { applyEntry, createHardState, type HardState } from '#state/hard-state.ts'
export type { CommandAnswer, StepResult } from '#step/step-core.ts'
export { buildStrategy, getWarmUpRequirement, type WarmUpRequirement } from '#strategies/build.ts'
export { BUILT_IN_KINDS } from '#strategies/kinds/kinds.ts'
export type { JsonObject, Parameter, Settings, SettingValue } from '#strategies/parameter.ts'
export type {
  ClosingQuotes,
  OwnOrder,
  SettingsConflict,
  Strategy,
  StrategyBar,
  StrategyContext,
  StrategyKind,
} from '#strategies/strategy.ts'
export { Bug } from '#values/bug.ts'
export { Fault, type FaultCode } from '#values/fault.ts'
export {
  type IdempotencyKey,
  type InstrumentId,
  idFrom,
  MANUAL,
  NO_SEQ,
  type OrderId,
  type PositionId,
  type Seq,
  type StrategyId,
  seqFrom,
} from '#values/ids.ts'
export { printIncrements } from '#values/increment.ts'
export { type Instant, instantFromMs, MS_PER_DAY } from '#values/instant.ts'
export {
  type Money,
  minus,
  moneyToNumber,
  NO_MONEY,
  nearestMoney,
  parseMoney,
  plus,
  printMoney,
} from '#values/money.ts'
export { type Price, parsePrice, priceFromTicks, priceToNumber } from '#values/price.ts'
export { parseQuantity, type Quantity, quantityToNumber } from '#values/quantity.ts'
export type { Result } from '#values/result.ts'
export {
  DEFAULT_LINK,
  type LinkSettings,
  type LinkStatus,
  NO_FAULTS,
  type TestStep,
  type VenueAdapter,
} from '#venue/adapter.ts'
export { createLatency, type Latency, NO_LATENCY } from '#venue/latency.ts'
export { createSimulatedAdapters } from '#venue/simulated-adapters.ts'
export { createSimulatedVenue } from '#venue/simulated-venue.ts'
export type { Venue, VenueRequest } from '#venue/venue.ts'
export type { AccountView, StrategyResultView } from '#views/account-view.ts'
export type { BookView } from '#views/book-view.ts'
export { changeOf, type DeskChange, type ViewName, type ViewsChange } from '#views/desk-change.ts'
export type { DeskViews } from '#views/desk-views.ts'
export type { EmergencyView } from '#views/emergency-view.ts'
export type { ComponentView, EngineView } from '#views/engine-view.ts'
export type { LiveFigures } from '#views/live-figures.ts'
export type {
  FillRecord,
  FinishedStatus,
  FundingRecord,
  OrderFilter,
  OrderHistory,
  OrderHistoryQuery,
  RecordPage,
  RecordQuery,
} from '#views/order-history.ts'
export {
  type OrderTimeline,
  type TimelineEntry,
  type TimelineEvent,
  viewTimelineEntries,
} from '#views/order-timeline.ts'
export { MAX_LISTED_FINISHED, type OrderStatus, type OrderView } from '#views/order-view.ts'
export type { ClosedPositionView, PositionView } from '#views/position-view.ts'
export type { QuoteView } from '#views/quote-view.ts'
export type { RiskView } from '#views/risk-view.ts'
export {
  LOG_KINDS,
  type LogKind,
  type StrategyLog,
  type StrategyLogLine,
  viewStrategyLog,
} from '#views/strategy-log.ts'
export type { RemovedStrategyView, StrategyView } from '#views/strategy-view.ts'
export { createViews, type EngineViews, type UpdatableViews } from '#views/views.ts'
export type {
  AcceptedOutcome,
  Clock,
  CommandSender,
  Desk,
  DeskPorts,
  Outcome,
  PreviewOutcome,
  RunningDesk,
  StrategyKindRow,
} from './desk.ts'
export { startDeskLoop } from './desk-loop.ts'
export { createEngine, type Engine } from './engine.ts'
export type { EngineOptions } from './engine-core.ts'
export { Listeners } from './listeners.ts'
