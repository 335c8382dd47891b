# Build it from the repository. The image runs on a read-only file system and needs a PostgreSQL server (DATABASE_URL).
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# `--omit=optional` removes Prisma's command line and the compiler, which are optional peers of Prisma's client.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=build /build/package.json /build/schema.graphql /build/openapi.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/prisma/schema.prisma ./prisma/schema.prisma
COPY --from=build /build/prisma/migrations ./prisma/migrations
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The option makes Node.js collect short-lived memory less often, and costs at most some hundred MB.
CMD ["node", "--max-semi-space-size=64", "dist/main.js", "serve"]
