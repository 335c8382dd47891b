# Build it from the repository. The image runs on a read-only file system and needs a PostgreSQL server (DATABASE_URL).
FROM node:22.23.3-bookworm-slim AS packages
WORKDIR /packages
COPY package.json package-lock.json ./
# `--omit=optional` leaves out Prisma's command line and the compiler, which are optional peers of Prisma's client. The rest deletes what
# no process loads: declarations, source maps, and Prisma's query compilers for other databases. That is more than half of the packages.
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f -regex '.*\.\([cm]?ts\|map\)' -delete \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_fast_bg.postgresql.*' -delete

FROM node:22.23.3-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:22.23.3-bookworm-slim
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="flag-admin-gateway" \
  org.opencontainers.image.description="A GraphQL, REST and MCP gateway to the event log and the public signup tokens of a feature-flag service." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=packages /packages/node_modules ./node_modules
COPY --from=build /build/package.json /build/schema.graphql /build/openapi.json /build/LICENSE ./
COPY --from=build /build/dist ./dist
COPY --from=build /build/prisma/schema.prisma ./prisma/schema.prisma
COPY --from=build /build/prisma/migrations ./prisma/migrations
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The option lets short-lived objects take up to 96 MB, so that Node.js collects garbage less often.
CMD ["node", "--max-semi-space-size=32", "dist/main.js", "serve"]
