# Binnacle in one image: the server, the built site and the client programs that back up PostgreSQL.
#
# The server listens on the loopback addresses of its network namespace only: there is no sign-in yet, so it refuses any
# other address (docs/guide/deployment.md). A published port (-p 8000:8000) therefore reaches nothing. Run the container in
# the network namespace of the machine, so that loopback is the machine's own:
#
#   docker build -t binnacle .
#   docker run --rm --network host -v binnacle-data:/data binnacle
#
# and open http://localhost:8000. compose.yaml does the same with PostgreSQL and Redis beside it.

# Installs, builds the site, then leaves out what only the build needed.
FROM node:24-trixie-slim AS build
WORKDIR /app
# The project's own Node, which the install brings, needs libatomic. Debian's security updates matter more than a pinned
# version of it.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/*
COPY . .
RUN --mount=type=cache,target=/root/.npm \
    npm ci --include=dev --include=optional \
 && node_modules/.bin/node tools/build-site.mjs \
 && npm ci --omit=dev --include=optional --workspace packages/server --include-workspace-root

FROM debian:trixie-slim
# postgresql-client: pg_dump, pg_restore and psql for backups. Its version must not be older than the PostgreSQL server's.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 ca-certificates postgresql-client \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin binnacle \
 && install -d -o binnacle -g binnacle -m 0700 /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
ENV PATH=/app/node_modules/.bin:$PATH \
    BINNACLE_DATA=/data
USER 10001
VOLUME /data
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.BINNACLE_TRADING_PORT || 8000}/health`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/src/main.ts"]
