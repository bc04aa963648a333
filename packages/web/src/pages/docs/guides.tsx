import architecture from '@repository/ARCHITECTURE.md?raw'
import backtests from '@repository/docs/guide/backtests.md?raw'
import configuration from '@repository/docs/guide/configuration.md?raw'
import customStrategies from '@repository/docs/guide/custom-strategies.md?raw'
import deployment from '@repository/docs/guide/deployment.md?raw'
import gettingStarted from '@repository/docs/guide/getting-started.md?raw'
import nautilus from '@repository/docs/guide/nautilus.md?raw'
import operations from '@repository/docs/guide/operations.md?raw'
import ordersAndRisk from '@repository/docs/guide/orders-and-risk.md?raw'
import strategies from '@repository/docs/guide/strategies.md?raw'
import troubleshooting from '@repository/docs/guide/troubleshooting.md?raw'
import userGuide from '@repository/docs/guide/user-guide.md?raw'
import map from '@repository/docs/map.svg?url'
import { paths } from '#paths.ts'
import { parseMarkdown } from '#ui/prose/markdown.ts'
import { Prose } from '#ui/prose/prose.tsx'
import { copy } from './copy.ts'

export type GuideTab = 'getting-started' | 'user-guide' | 'architecture' | 'deployment'

interface Page {
  file: string
  text: string
}

const pages: Readonly<Record<GuideTab, readonly Page[]>> = {
  'getting-started': [{ file: 'getting-started.md', text: gettingStarted }],
  'user-guide': [
    { file: 'user-guide.md', text: userGuide },
    { file: 'orders-and-risk.md', text: ordersAndRisk },
    { file: 'strategies.md', text: strategies },
    { file: 'custom-strategies.md', text: customStrategies },
    { file: 'backtests.md', text: backtests },
  ],
  architecture: [{ file: 'ARCHITECTURE.md', text: architecture }],
  deployment: [
    { file: 'deployment.md', text: deployment },
    { file: 'nautilus.md', text: nautilus },
    { file: 'operations.md', text: operations },
    { file: 'troubleshooting.md', text: troubleshooting },
    { file: 'configuration.md', text: configuration },
  ],
}

const pictures: Readonly<Record<string, string>> = import.meta.glob('@repository/docs/images/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** By the name that the guides link to. */
const images: Readonly<Record<string, string>> = {
  'docs/map.svg': map,
  ...Object.fromEntries(
    Object.entries(pictures).map(([file, url]) => [`../images/${file.split('/').at(-1)}`, url]),
  ),
}

export interface GuideProps {
  tab: GuideTab
}

/** The pages of the repository's own documentation that belong to one tab. */
export function Guide({ tab }: GuideProps) {
  return pages[tab].map(({ file, text }) => (
    <Prose
      key={file}
      text={text}
      contents={copy.contentsOf(file)}
      resolveLink={addressOf}
      resolveImage={(source) => images[source]}
    />
  ))
}

/**
 * A link between files of the repository becomes a link to the tab and heading that show the file. DOCS-15: the usual
 * address of the console becomes this console, which may have another port.
 */
function addressOf(href: string): string | undefined {
  if (href === USUAL_ADDRESS) return paths.home
  const [path = '', fragment] = href.split('#')
  const name = path.split('/').at(-1)
  for (const [tab, files] of Object.entries(pages)) {
    const page = files.find(({ file }) => file === name)
    if (page) return `${paths.docs}?tab=${tab}#${fragment ?? firstHeadingOf(page)}`
  }
  return undefined
}

const USUAL_ADDRESS = 'http://localhost:8000'

function firstHeadingOf({ text }: Page): string {
  const [first] = parseMarkdown(text).headings.values()
  return first?.id ?? ''
}
