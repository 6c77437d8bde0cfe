# One image for the API, the worker and the commands of the administrator. docs/deployment.md shows its use.

FROM node:24-trixie-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY src/clients/client/package.json src/clients/client/
COPY src/clients/create/package.json src/clients/create/
RUN npm ci --ignore-scripts
COPY . .
RUN node node_modules/typescript/bin/tsc -p tsconfig.build.json && node dist/src/main/build-bundles.js

# Optional packages are the compilers of the build.
FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY src/clients/client/package.json src/clients/client/
COPY src/clients/create/package.json src/clients/create/
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
# Temporal's worker comes with its engine for five platforms, of which an image needs one: 110 MB less.
RUN cd node_modules/@temporalio/core-bridge/releases && \
  find . -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM node:24-trixie-slim
LABEL org.opencontainers.image.title="Holdfast" \
  org.opencontainers.image.description="A durable backend for AI agents, on Temporal" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3400 HOLDFAST_HEALTH_PORT=3401
# The settings of `npm start` for the API and the worker, which keep their memory small.
ENV NODE_OPTIONS=--max-semi-space-size=8 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY LICENSE package.json ./
COPY scripts/health.mjs scripts/
# The user `node` of the base image, as a number, so that a cluster can tell that it is not root.
USER 1000:1000
EXPOSE 3400
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "scripts/health.mjs"]
# Nothing is written to the file system of the container.
ENTRYPOINT ["node", "dist/src/main/holdfast.js"]
CMD ["api"]
