import { python, type Attack } from './attack.ts';

const ownNetwork = 'it has a network of its own, with nothing but loopback';
const hidden = 'sockets that lead out are hidden, wherever they lie';

const tcp = (host: string, port: string): string => `timeout 2 bash -c 'exec 7<>/dev/tcp/${host}/${port}'`;

/** An abstract name may fill its place with NULs, which then belong to it. */
const unixSocket = (variable: string): string =>
  python(
    `name = os.environ['${variable}']\nabstract = '\\0' + name[1:]\n` +
      "for path in ([abstract, abstract.ljust(108, '\\0')] if name.startswith('@') else [name]):\n" +
      '    s = socket.socket(socket.AF_UNIX)\n    s.settimeout(2)\n' +
      '    try: s.connect(path)\n    except OSError: continue\n    sys.exit(0)\nsys.exit(1)',
  );

export const network: Attack[] = [
  ...[
    ['loopback', '127.0.0.1', '$PORT_4', 'D3'],
    ['loopback-6', '::1', '$PORT_6', 'D3'],
    ['any', '0.0.0.0', '$PORT_4', 'D3'],
    ['lan', '$LAN', '$PORT_4', 'D3'],
    ['metadata', '169.254.169.254', '80', 'D5'],
    ['outside', '192.0.2.1', '443', 'D5'],
  ].map(([name = '', host = '', port = '', threat = '']) => ({
    id: `network-${name}`,
    threat,
    tries: `connect to ${host}`,
    because: ownNetwork,
    script: tcp(host, port),
  })),
  {
    id: 'network-udp',
    threat: 'D5',
    tries: 'send a datagram to a host, as for a name',
    because: ownNetwork,
    script: python(
      "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', (os.environ['LAN'], int(os.environ['PORT_UDP'])))",
    ),
    needs: ['python3'],
  },
  {
    id: 'network-name',
    threat: 'D5',
    tries: 'ask for the address of a name',
    because: 'no resolver can be reached',
    script: python("socket.setdefaulttimeout(2)\nsocket.getaddrinfo('larik-escape.example.com', 80)"),
    needs: ['python3'],
  },
  {
    id: 'network-raw',
    threat: 'D5',
    tries: 'open a raw socket',
    because: 'no capability is left, and none can be had',
    script: python('socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'),
    needs: ['python3'],
  },
  {
    id: 'network-ping',
    threat: 'D5',
    tries: 'ping a host',
    because: ownNetwork,
    script: 'ping -c 1 -W 1 192.0.2.1',
  },
  {
    id: 'network-vsock',
    threat: 'D5',
    tries: 'connect to the machine that runs this virtual one',
    because: 'it has no such device, or nobody listens',
    script: python(
      's = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)\ns.settimeout(1)\ns.connect((2, 22))',
    ),
    needs: ['python3'],
  },
  ...[
    ['abstract', 'SOCKET_ABSTRACT', ownNetwork],
    ['tmp', 'SOCKET_TMP', '/tmp is a private folder'],
    ['home', 'SOCKET_HOME', hidden],
    ['project', 'SOCKET_PROJECT', hidden],
    ['elsewhere', 'SOCKET_ELSEWHERE', hidden],
    ['run', 'SOCKET_RUN', '/run is empty'],
    ['docker', 'SOCKET_DOCKER', hidden],
    ['agent', 'SOCKET_AGENT', hidden],
  ].map(([name = '', variable = '', because = '']) => ({
    id: `socket-${name}`,
    threat: 'D2',
    tries: `connect to a socket of the machine (${name})`,
    because,
    script: unixSocket(variable),
    needs: ['python3'],
  })),
  ...[
    ['buses', 'ls /run/dbus/* /run/user/* /run/systemd/private /var/run/dbus'],
    ['engines', 'ls /run/docker.sock /run/containerd /run/podman /var/run/docker.sock /run/snapd.socket'],
    ['screens', 'ls /tmp/.X11-unix /tmp/.ICE-unix /run/user/*/wayland-0'],
  ].map(([name = '', script = '']) => ({
    id: `socket-${name}`,
    threat: 'D2',
    tries: script,
    because: '/run and /tmp show nothing of the machine',
    script: `${script} | grep -q .`,
  })),
];
