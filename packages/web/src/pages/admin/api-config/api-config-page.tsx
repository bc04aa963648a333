import type { Service } from '@binnacle/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useServiceHealth } from '#data/api-services/probes.ts'
import { routeQueries } from '#data/api-services/routes.ts'
import { apiServiceQueries, useReloadApiServices } from '#data/api-services/services.ts'
import { logOnly, problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { paths } from '#paths.ts'
import { toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Split } from '#ui/frame/split.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { ServiceRoutesPage } from './service-routes-page.tsx'
import { ServicesList } from './services-list.tsx'

const loadServices = apiServiceQueries.list({ onFailure: toastFailure(copy.servicesFailed) })

/** SHELL-111 */
export const firstLoads: FirstLoads = (load) => load(loadServices)

export function ApiConfigPage() {
  const services = useQuery(loadServices)
  const reload = useReloadApiServices()
  const [params, setParams] = useSearchParams()
  const selected = services.data?.find(({ id }) => String(id) === params.get('service'))
  const select = ({ id }: Service) => setParams({ service: String(id) })
  const refresh = (
    <Button busy={services.isFetching} onClick={reload}>
      {copy.refresh}
    </Button>
  )
  return (
    <Screen title={copy.title} back={{ to: paths.admin, label: copy.back }} actions={refresh}>
      <Split
        side={
          <Card title={copy.services}>
            <Services selected={selected} onSelect={select} />
          </Card>
        }
      >
        {selected ? (
          <ServiceRoutesPage key={String(selected.id)} service={selected} />
        ) : (
          <EmptyState title={copy.selectService} />
        )}
      </Split>
    </Screen>
  )
}

interface ServicesProps {
  selected: Service | undefined
  onSelect: (service: Service) => void
}

function Services({ selected, onSelect }: ServicesProps) {
  const { data: services = [], error, isPending, isSuccess } = useQuery(loadServices)
  const healthOf = useServiceHealth(services)
  const counts = useQueries({
    queries: services.map(({ id }) => routeQueries.ofService(id, { onFailure: logOnly })),
    combine: (loads) => loads.map(({ data, isPending: isCounting }) => countText(data?.length, isCounting)),
  })
  if (isPending) return <Loading bare text={copy.loadingServices} />
  if (isSuccess && services.length === 0) return <EmptyState title={copy.noServices} />
  if (services.length === 0)
    return (
      <Notice tone="bad" title={copy.servicesLost}>
        {problemText(error)}
      </Notice>
    )
  const items = services.map((service, index) => ({
    service,
    health: healthOf(service),
    routeCount: counts[index] ?? copy.counting,
  }))
  return <ServicesList items={items} selectedId={selected?.id} onSelect={onSelect} />
}

function countText(count: number | undefined, isCounting: boolean): string {
  if (count !== undefined) return copy.count(count)
  return isCounting ? copy.counting : copy.countUnknown
}
