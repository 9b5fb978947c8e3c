/** Variables that commands in a sandbox get; none of them holds a key in ordinary use. */
const passedOn = new Set(
  [
    'PATH HOME USER LOGNAME SHELL TZ LANG LANGUAGE COLORTERM CI NO_COLOR',
    'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME',
    'CC CXX AR LD CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS PKG_CONFIG_PATH',
    'LD_LIBRARY_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH CMAKE_PREFIX_PATH',
    'JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME',
    'ANDROID_SDK_ROOT SDKMAN_DIR KOTLIN_HOME SCALA_HOME',
    'GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOPROXY GOTOOLCHAIN GOOS GOARCH',
    'CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS CARGO_TARGET_DIR RUST_BACKTRACE',
    'NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS VOLTA_HOME FNM_DIR PNPM_HOME',
    'BUN_INSTALL DENO_DIR COREPACK_HOME YARN_CACHE_FOLDER npm_config_cache',
    'PYTHONPATH PYTHONHOME VIRTUAL_ENV PYENV_ROOT PYENV_VERSION PIP_CACHE_DIR UV_CACHE_DIR',
    'CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE POETRY_CACHE_DIR',
    'RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH BUNDLE_PATH COMPOSER_HOME COMPOSER_CACHE_DIR',
    'DOTNET_ROOT NUGET_PACKAGES MIX_HOME HEX_HOME OPAMROOT OPAMSWITCH CCACHE_DIR',
    'ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR NIX_PATH NIX_SSL_CERT_FILE LOCALE_ARCHIVE',
    'SSL_CERT_FILE SSL_CERT_DIR GIT_CEILING_DIRECTORIES HOMEBREW_PREFIX WSL_DISTRO_NAME',
  ].flatMap((names) => names.split(' ')),
);

/** Beginnings of names that are passed on as well. */
const families = ['LC_', 'NVM_', 'GIT_AUTHOR_', 'GIT_COMMITTER_'];

/** How programs find a proxy; of use only where there is a network. */
const proxies = /^(?:https?|all|no|ftp)_proxy$/i;

/** Without a network another try is lost time: of npm alone more than a minute. */
const noRetries: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0',
  YARN_HTTP_RETRY: '0',
  PIP_RETRIES: '0',
  UV_HTTP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
};

/** Of `env` what a command in a sandbox gets; `named` comes from the settings (spec: sandbox). */
export function commandEnvironment(
  env: Readonly<Record<string, string>>,
  { named, network }: { named: readonly string[]; network: boolean },
): Record<string, string> {
  const isPassedOn = (name: string): boolean =>
    passedOn.has(name) ||
    named.includes(name) ||
    families.some((family) => name.startsWith(family)) ||
    (network && proxies.test(name));
  const passed = Object.entries(env).filter(([name]) => isPassedOn(name));
  return { ...(network ? {} : noRetries), ...Object.fromEntries(passed) };
}
