import {
  type Adapter,
  type AdapterConfig,
  MAX_FAULT_LATENCY_MS,
  MAX_FAULT_SKEW_MS,
  MAX_RECONNECT_S,
  type NewAdapterConfig,
} from '@binnacle/contract'
import type { FormEvent } from 'react'
import { useConfigureAdapter } from '#data/adapters.ts'
import { actionMessages } from '#ports/action-messages.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { SwitchField, TextField } from '#ui/control/field.tsx'
import { takeFocus } from '#ui/control/take-focus.ts'
import { Card } from '#ui/frame/card.tsx'
import { Row } from '#ui/frame/grid.tsx'
import classes from './live-adapters.module.css'
import { live } from './live-copy.ts'

export interface AdapterConfigFormProps {
  adapter: Adapter
  config: AdapterConfig
  /** Undefined while nothing was typed. */
  edited: AdapterDraft | undefined
  onEdit: (draft: AdapterDraft | undefined) => void
  /** Counts the presses of Config: each one moves the focus here. Zero after another choice of this adapter. */
  focusCount: number
}

/** As typed, with the version that is edited. */
export interface AdapterDraft {
  version: number
  apiKey: string
  secret: string
  isRemoving: boolean
  reconnectAfter: string
  reconnectMax: string
  latency: string
  skew: string
  wrongKey: boolean
  dropped: boolean
  missing: readonly string[]
}

export function AdapterConfigForm(props: AdapterConfigFormProps) {
  const { adapter, config, edited, onEdit, focusCount } = props
  const { name, instruments, mode } = adapter
  const messages = actionMessages('live', 'configure', name)
  const command = useConfigureAdapter({
    onStart: () => notify('info', messages.starting),
    onDone: () => {
      onEdit(undefined)
      notify('success', messages.done)
    },
    onFailure: notifyFailure(messages.failed, messages.unknown),
  })
  const draft = edited ?? draftOf(config)
  const change = (part: Partial<AdapterDraft>) => onEdit({ ...draft, ...part })
  const errors = errorsOf(draft)
  const hasErrors = Object.values(errors).some((error) => error !== undefined)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!hasErrors) command.run({ adapter, config: configOf(draft) })
  }
  const text = (label: string, key: TextKey) => (
    <TextField
      label={label}
      inputMode="numeric"
      value={draft[key]}
      error={errors[key]}
      onChange={(value) => change({ [key]: value })}
    />
  )
  const credential = (label: string, key: 'apiKey' | 'secret', isStored: boolean) => (
    <TextField
      key={key === 'apiKey' ? focusCount : undefined}
      ref={key === 'apiKey' && focusCount > 0 ? takeFocus : null}
      label={label}
      type="password"
      autoComplete="new-password"
      placeholder={isStored ? live.stored : live.notStored}
      value={draft[key]}
      onChange={(value) => change({ [key]: value })}
    />
  )
  return (
    <Card title={live.configOf(name)} aside={live.version(config)}>
      <form className={classes.form} aria-label={live.configOf(name)} onSubmit={save}>
        <div className={classes.pair}>
          {credential(live.apiKey, 'apiKey', config.has_api_key)}
          {credential(live.secret, 'secret', config.has_secret)}
        </div>
        <p className={classes.hint}>{live.credentials}</p>
        {(config.has_api_key || config.has_secret) && (
          <SwitchField
            label={live.removeCredentials}
            checked={draft.isRemoving}
            onChange={(isRemoving) => change({ isRemoving })}
          />
        )}
        <div className={classes.pair}>
          {text(live.reconnectAfter, 'reconnectAfter')}
          {text(live.reconnectMax, 'reconnectMax')}
        </div>
        <p className={classes.hint}>{live.reconnectHint}</p>
        {mode === 'simulated' && (
          <fieldset className={classes.faults}>
            <legend>{live.faults}</legend>
            <p className={classes.hint}>{live.faultsHint}</p>
            <div className={classes.pair}>
              {text(live.latency, 'latency')}
              {text(live.skew, 'skew')}
            </div>
            <div className={classes.switches}>
              <SwitchField
                label={live.wrongKey}
                checked={draft.wrongKey}
                onChange={(wrongKey) => change({ wrongKey })}
              />
              <SwitchField
                label={live.dropped}
                checked={draft.dropped}
                onChange={(dropped) => change({ dropped })}
              />
              {instruments.map((id) => (
                <SwitchField
                  key={id}
                  label={live.missing(id)}
                  checked={draft.missing.includes(id)}
                  onChange={(isMissing) =>
                    change({
                      missing: isMissing
                        ? [...draft.missing, id]
                        : draft.missing.filter((other) => other !== id),
                    })
                  }
                />
              ))}
            </div>
          </fieldset>
        )}
        <Row>
          <Button
            type="submit"
            kind="primary"
            busy={command.isPending}
            disabled={hasErrors || edited === undefined}
          >
            {live.save}
          </Button>
          <Button disabled={edited === undefined} onClick={() => onEdit(undefined)}>
            {live.cancel}
          </Button>
        </Row>
      </form>
    </Card>
  )
}

type TextKey = 'reconnectAfter' | 'reconnectMax' | 'latency' | 'skew'

const BOUNDS: Readonly<Record<TextKey, readonly [least: number, most: number]>> = {
  reconnectAfter: [1, MAX_RECONNECT_S],
  reconnectMax: [1, MAX_RECONNECT_S],
  latency: [0, MAX_FAULT_LATENCY_MS],
  skew: [-MAX_FAULT_SKEW_MS, MAX_FAULT_SKEW_MS],
}

/** The message at each field that cannot be saved. */
function errorsOf(draft: AdapterDraft): Partial<Record<TextKey, string | undefined>> {
  const check = (key: TextKey) => {
    const [least, most] = BOUNDS[key]
    const value = Number(draft[key])
    const isValid = draft[key].trim() !== '' && Number.isInteger(value) && value >= least && value <= most
    return isValid ? undefined : live.number(least, most)
  }
  const isTooSmall = Number(draft.reconnectMax) < Number(draft.reconnectAfter)
  return {
    reconnectAfter: check('reconnectAfter'),
    reconnectMax: check('reconnectMax') ?? (isTooSmall ? live.tooSmall : undefined),
    latency: check('latency'),
    skew: check('skew'),
  }
}

function draftOf({ version, reconnect_after_s, reconnect_max_s, faults }: AdapterConfig): AdapterDraft {
  return {
    version,
    apiKey: '',
    secret: '',
    isRemoving: false,
    reconnectAfter: String(reconnect_after_s),
    reconnectMax: String(reconnect_max_s),
    latency: String(faults.latency_ms),
    skew: String(faults.clock_skew_ms),
    wrongKey: faults.wrong_key,
    dropped: faults.dropped,
    missing: faults.missing_symbols,
  }
}

function configOf(draft: AdapterDraft): NewAdapterConfig {
  const removed = draft.isRemoving ? '' : undefined
  const apiKey = draft.apiKey === '' ? removed : draft.apiKey
  const secret = draft.secret === '' ? removed : draft.secret
  return {
    version: draft.version,
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(secret !== undefined && { secret }),
    reconnect_after_s: Number(draft.reconnectAfter),
    reconnect_max_s: Number(draft.reconnectMax),
    faults: {
      latency_ms: Number(draft.latency),
      clock_skew_ms: Number(draft.skew),
      wrong_key: draft.wrongKey,
      missing_symbols: [...draft.missing],
      dropped: draft.dropped,
    },
  }
}
