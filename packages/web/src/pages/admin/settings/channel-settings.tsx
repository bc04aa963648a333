import type { ChannelTest } from '@binnacle/contract'
import type { ChannelName } from '#data/system-settings.ts'
import { Button } from '#ui/control/button.tsx'
import classes from './channel-settings.module.css'
import { live } from './copy.ts'
import { CHANNEL_FIELDS, LiveFields, type LiveFieldsProps } from './live-fields.tsx'

export interface ChannelSettingsProps extends Omit<LiveFieldsProps, 'fields'> {
  isEdited: (key: string) => boolean
  answers: Readonly<Partial<Record<ChannelName, ChannelTest>>>
  isTesting: (channel: ChannelName) => boolean
  onTest: (channel: ChannelName) => void
}

const CHANNELS: readonly ChannelName[] = ['email', 'slack', 'sms']

/** SET-29: what each channel needs, and a test of it as it is stored. */
export function ChannelSettings({ isEdited, answers, isTesting, onTest, ...fields }: ChannelSettingsProps) {
  return CHANNELS.map((channel) => {
    const keys = CHANNEL_FIELDS[channel].map(({ key }) => key)
    const isUnsaved = keys.some(isEdited)
    const isRefused = keys.some((key) => fields.errors[key] !== undefined)
    return (
      <details key={channel} className={classes.channel} {...(isRefused && { open: true })}>
        <summary>{live.channels[channel]}</summary>
        <div className={classes.fields}>
          <LiveFields {...fields} fields={CHANNEL_FIELDS[channel]} />
        </div>
        <div className={classes.test}>
          <Button
            aria-label={live.sendTestBy(live.channels[channel])}
            busy={isTesting(channel)}
            disabled={isUnsaved}
            onClick={() => onTest(channel)}
          >
            {live.sendTest}
          </Button>
          <span role="status">{isUnsaved ? live.saveFirst : answerText(answers[channel])}</span>
        </div>
      </details>
    )
  })
}

function answerText(test: ChannelTest | undefined): string {
  if (test === undefined) return ''
  return test.accepted ? live.accepted(test.answer) : live.notSent(test.answer)
}
