import type { AlertChannelState, AlertRule, AlertTest } from '@binnacle/contract'
import { type ReactNode, useState } from 'react'
import { type RuleTest as TestRequest, useDeleteRule, useSaveRule, useTestRule } from '#data/alerts.ts'
import { problemText } from '#data/failure.ts'
import type { FormFailure } from '#form-failure.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { notify } from '#state/toasts.ts'
import { useDiscardQuestion } from '#state/unsaved.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { useRefusal } from '#ui/control/use-refusal.ts'
import { copy } from './copy.ts'
import { RuleEditor } from './rule-editor.tsx'
import { BLANK, type RuleErrors, type RuleTexts, ruleOf, textsOf } from './rule-form.ts'
import { RuleTest, type TestDays } from './rule-test.tsx'

const { editor: words } = copy

const FIELDS = [
  'name',
  'watch',
  'subject',
  'threshold',
  'clear',
  'window_s',
  'cooldown_s',
  'escalate_after_s',
  'channels',
]

export interface RuleEditing {
  open: (rule: AlertRule | undefined) => void
  chosen: AlertRule | undefined
  element: ReactNode
  dialog: ReactNode
}

/** The rule that is being edited, and its test. */
export function useRuleEditor(
  subjects: Readonly<Record<string, readonly string[]>>,
  channels: readonly AlertChannelState[],
): RuleEditing {
  const [edited, setEdited] = useState<{ rule: AlertRule | undefined; texts: RuleTexts }>()
  const [missing, setMissing] = useState<RuleErrors>()
  const testing = useTesting()
  const { ask, dialog } = useConfirm()
  const isChanged = edited !== undefined && !isSame(edited.texts, initialTexts(edited.rule))
  const beforeDiscard = useDiscardQuestion(isChanged, words.nameOf(edited?.rule?.name), ask)
  const close = () => setEdited(undefined)
  const save = useSaveRule({
    onFailure: toastFailureAfterUnmount(words.unknown),
    onDone: (_, { rule }) => {
      notify('success', words.saved(rule.name))
      close()
    },
  })
  const remove = useDeleteRule({
    ...createFailureToasts({ name: (id) => `rule ${id}`, unknown: () => words.deleteUnknown }),
    onDone: () => {
      notify('success', words.deleted)
      close()
    },
  })
  const open = (rule: AlertRule | undefined) =>
    beforeDiscard(() => {
      save.reset()
      testing.reset()
      setMissing(undefined)
      setEdited({ rule, texts: initialTexts(rule) })
    })
  const failure: FormFailure | undefined = missing
    ? { fields: missing, text: undefined }
    : save.failure && formFailure(save.failure, { unknown: words.unknown, fields: FIELDS })
  const { shown, markSent } = useRefusal(failure, edited?.texts ?? BLANK)
  if (edited === undefined) return { open, chosen: undefined, element: null, dialog }
  const { rule, texts } = edited
  const check = () => {
    markSent()
    const checked = ruleOf(texts)
    setMissing('errors' in checked ? checked.errors : undefined)
    return 'rule' in checked ? checked.rule : undefined
  }
  const element = (
    <RuleEditor
      rule={rule}
      texts={texts}
      subjects={subjects}
      channels={channels}
      failure={shown}
      busy={save.isPending}
      on={{
        change: (next) => setEdited({ rule, texts: next }),
        save: () => {
          const checked = check()
          if (checked) save.run({ id: rule?.id, rule: checked })
        },
        cancel: close,
        remove:
          rule &&
          (() =>
            ask({
              question: words.deleteQuestion(rule.name),
              detail: words.deleteDetail,
              action: words.delete,
              onConfirm: () => remove.run(rule.id),
            })),
      }}
    >
      <RuleTest
        {...testing.props}
        onRun={() => {
          const checked = check()
          if (checked) testing.run({ rule: checked, days: testing.props.days })
        }}
      />
    </RuleEditor>
  )
  return { open, chosen: rule, element, dialog }
}

function initialTexts(rule: AlertRule | undefined): RuleTexts {
  return rule === undefined ? BLANK : textsOf(rule)
}

function isSame(one: RuleTexts, other: RuleTexts): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function useTesting() {
  const [days, setDays] = useState<TestDays>(1)
  const [last, setLast] = useState<{ test: AlertTest; request: TestRequest }>()
  const test = useTestRule({
    onFailure: toastFailureAfterUnmount(copy.test.unknown),
    onDone: (reply, request) => setLast({ test: reply, request }),
  })
  const rule = last?.request.rule
  return {
    run: test.run,
    reset: () => {
      test.reset()
      setLast(undefined)
    },
    props: {
      days,
      onDays: setDays,
      busy: test.isPending,
      failure: test.failure && (problemText(test.failure.error) ?? copy.test.unknown),
      tested:
        last && rule
          ? { test: last.test, watch: rule.watch, threshold: rule.threshold, clear: rule.clear }
          : undefined,
    },
  }
}
