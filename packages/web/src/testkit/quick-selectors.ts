type Match = (element: Element) => boolean

const changed = new WeakSet<Window>()

/**
 * Once for each window. Queries by role and text match every element against lists of tags and attributes; jsdom's general
 * matcher takes a sixth of the time of the tests for that. Any other selector is left to it. What is found is an array, which
 * those who ask read in turn.
 */
export function quickenSelectors(view: Window & typeof globalThis): void {
  if (changed.has(view)) return
  changed.add(view)
  const { matches } = view.Element.prototype
  Object.assign(view.Element.prototype, {
    matches(this: Element, selector: string): boolean {
      return compile(selector)?.(this) ?? matches.call(this, selector)
    },
  })
  for (const { prototype } of [view.Element, view.Document]) {
    const { querySelectorAll } = prototype
    Object.assign(prototype, {
      querySelectorAll(this: Element | Document, selector: string): Iterable<Element> {
        const match = compile(selector)
        return match === undefined ? querySelectorAll.call(this, selector) : elementsIn(this).filter(match)
      },
    })
  }
}

function elementsIn(root: ParentNode, found: Element[] = []): Element[] {
  for (let at = root.firstElementChild; at !== null; at = at.nextElementSibling) {
    found.push(at)
    elementsIn(at, found)
  }
  return found
}

const compiled = new Map<string, Match | undefined>()

function compile(selector: string): Match | undefined {
  if (!compiled.has(selector)) compiled.set(selector, compileList(selector))
  return compiled.get(selector)
}

/** A list of tags with attributes; undefined if it has anything else. */
export function compileList(selector: string): Match | undefined {
  const matches = selector.split(',').map((part) => compileOne(part.trim()))
  if (matches.includes(undefined)) return undefined
  return (element) => matches.some((match) => match?.(element))
}

const ATTRIBUTE = String.raw`\[([a-z-]+)(?:(~?=)(?:"([^"\\]*)"|([a-z]+)))?\]`
const CONDITION = new RegExp(String.raw`(:not\()?${ATTRIBUTE}`, 'g')
const ONE = new RegExp(String.raw`^(\*|[a-z][a-z0-9]*)?((?:${ATTRIBUTE}|:not\(${ATTRIBUTE}\))*)$`)

function compileOne(selector: string): Match | undefined {
  const [, tag, conditions = ''] = ONE.exec(selector) ?? []
  if (tag === undefined && conditions === '') return undefined
  const tests = [...conditions.matchAll(CONDITION)].map(([, not, name = '', operator, quoted, plain]) => {
    const isMet = attributeTest(name, operator, quoted ?? plain ?? '')
    return (element: Element) => isMet(element) !== (not !== undefined)
  })
  return (element) =>
    (tag === undefined || tag === '*' || element.localName === tag) && tests.every((test) => test(element))
}

function attributeTest(name: string, operator: string | undefined, value: string): Match {
  if (operator === undefined) return (element) => element.hasAttribute(name)
  // HTML compares the values of `type` without regard to case.
  const fold = (text: string) => (name === 'type' ? text.toLowerCase() : text)
  if (operator === '=') {
    return (element) => element.hasAttribute(name) && fold(element.getAttribute(name) ?? '') === fold(value)
  }
  return (element) => element.getAttribute(name)?.split(/\s+/).includes(value) ?? false
}
