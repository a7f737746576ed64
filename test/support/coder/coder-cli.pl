# The stand-in's `coder` executable (behaviour of 2.35), as far as it has to be a process: it reports to the stand-in how it was
# started, and performs the task that it gets (stand-in-cli.ts). It is in Perl, which every Debian and Ubuntu has: a test run starts
# it a thousand times, and Node takes thirty times as long to start. It is started through a wrapper that `startCoderStandIn` writes.
use strict;
use warnings;

my $lost = "SSH connection ended unexpectedly\n";

# AF_UNIX, SOCK_STREAM as numbers, because the module with their names takes longer to load than everything else.
socket(my $control, 1, 1, 0) or die "socket: $!";
connect($control, pack('S a108', 1, "$ENV{CODER_STAND_IN_DIRECTORY}/control")) or die "no stand-in: $!";
my $start = join("\0", scalar(@ARGV), @ARGV, map { "$_=$ENV{$_}" } keys %ENV);
write_all($control, pack('N', length $start) . $start);

my ($kind, @told) = split(/\0/, read_exactly(unpack('N', read_exactly(4))), -1);
if ($kind eq 'exit') {
  my ($code, $out, $err) = @told;
  write_all(\*STDOUT, $out);
  write_all(\*STDERR, $err);
  exit $code;
}
my ($home, $text, @environment) = @told;

# Replaces the default handlers, because `coder` exits with its own status after any signal.
$SIG{$_} = sub { leave(255) } for qw(INT TERM HUP);
$SIG{PIPE} = 'IGNORE';
my $child;
my $is_terminal = $kind eq 'terminal';
leave($is_terminal ? on_terminal() : on_pipes());

sub leave {
  my ($code) = @_;
  kill('HUP', $child) if $is_terminal && defined $child;
  exit $code;
}

# Without a PTY the end of stdin reaches the command, which survives a lost connection with closed pipes.
sub on_pipes {
  pipe(my $in_far, my $in) or die "pipe: $!";
  pipe(my $out, my $out_far) or die "pipe: $!";
  pipe(my $err, my $err_far) or die "pipe: $!";
  start([$in_far, $out_far, $err_far], 'setsid', '/bin/bash', '-c', $text);
  close $_ for $in_far, $out_far, $err_far;
  my ($input, %buffer) = ('', out => '', err => '');
  my %from = (out => $out, err => $err);
  my %to = (out => \*STDOUT, err => \*STDERR);
  my $reads_stdin = 1;
  my $status;
  until (defined $status && !%from && $buffer{out} eq '' && $buffer{err} eq '') {
    my ($readable, $writable) = ('', '');
    mark(\$readable, $control);
    mark(\$readable, \*STDIN) if $reads_stdin && $input eq '';
    mark(\$writable, $in) if $input ne '';
    for my $name ('out', 'err') {
      if ($buffer{$name} ne '') { mark(\$writable, $to{$name}) }
      elsif ($from{$name}) { mark(\$readable, $from{$name}) }
    }
    # The child may end between the check and this wait, and then does not wake it.
    my $ready = select($readable, $writable, undef, %from ? 0.2 : 0.01);
    if ($ready > 0) {
      lost_connection() if is_marked($readable, $control);
      if ($reads_stdin && is_marked($readable, \*STDIN)) {
        $reads_stdin = sysread(STDIN, $input, 16384);
        close $in unless $reads_stdin;
      }
      if ($input ne '' && is_marked($writable, $in) && !give($in, \$input)) {
        ($input, $reads_stdin) = ('', 0);
        close $in;
      }
      for my $name ('out', 'err') {
        if ($from{$name} && is_marked($readable, $from{$name})) {
          delete $from{$name} unless sysread($from{$name}, $buffer{$name}, 65536);
        }
        if ($buffer{$name} ne '' && is_marked($writable, $to{$name})) {
          leave(255) unless give($to{$name}, \$buffer{$name});
        }
      }
    }
    $status = $? if !defined $status && waitpid($child, 1) == $child;
  }
  return $status & 127 ? 255 : $status >> 8;
}

# Uses a PTY of 128x128 for any local size; only the shell form and SIGWINCH forward the local size.
sub on_terminal {
  # O_RDWR and O_NOCTTY: the PTY must become the child's controlling terminal.
  sysopen(my $terminal, '/dev/ptmx', 0402) or die "ptmx: $!";
  my $number = pack('i', 0);
  ioctl($terminal, 0x40045431, $number) or die "unlockpt: $!";
  ioctl($terminal, 0x80045430, $number) or die "ptsname: $!";
  my $is_local = -t STDIN && -t STDOUT;
  resize($terminal, $is_local && $text eq '' ? local_size() : pack('S4', 128, 128, 0, 0));
  sysopen(my $far, '/dev/pts/' . unpack('i', $number), 0402) or die "pts: $!";
  my @words = $text eq '' ? ('-l') : ('-c', $text);
  start([$far, $far, $far], 'setsid', '--ctty', '/bin/bash', @words);
  close $far;
  if ($is_local) {
    system('stty', 'raw', '-echo');
    $SIG{WINCH} = sub { resize($terminal, local_size()) };
  }
  my ($input, $reads_stdin, $output, $has_output) = ('', 1, '', 1);
  my $status;
  for (;;) {
    my ($readable, $writable) = ('', '');
    mark(\$readable, $control);
    mark(\$readable, \*STDIN) if $reads_stdin && $input eq '';
    mark(\$writable, $terminal) if $input ne '';
    if ($output ne '') { mark(\$writable, \*STDOUT) }
    elsif ($has_output) { mark(\$readable, $terminal) }
    # After the shell has ended, only its earlier output is awaited.
    my $ready = select($readable, $writable, undef, defined $status ? 0 : 0.2);
    my $is_drained = $ready == 0;
    if ($ready > 0) {
      lost_connection() if is_marked($readable, $control);
      $reads_stdin = sysread(STDIN, $input, 16384) if $input eq '' && is_marked($readable, \*STDIN);
      give($terminal, \$input) if $input ne '' && is_marked($writable, $terminal);
      if ($output eq '' && is_marked($readable, $terminal)) {
        # EIO: the other side is closed.
        $has_output = sysread($terminal, $output, 65536) ? 1 : 0;
        $output = '' unless $has_output;
      }
      if ($output ne '' && is_marked($writable, \*STDOUT)) {
        leave(255) unless give(\*STDOUT, \$output);
      }
    }
    last if defined $status && $output eq '' && ($is_drained || !$has_output);
    $status = $? if !defined $status && waitpid($child, 1) == $child;
  }
  undef $child;
  return $status & 127 ? 255 : $status >> 8;
}

sub start {
  my ($streams, @command) = @_;
  # The signal wakes the wait below; the handler itself does nothing.
  $SIG{CHLD} = sub { };
  $child = fork;
  die "fork: $!" unless defined $child;
  return if $child != 0;
  $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP PIPE CHLD);
  open(STDIN, '<&', $streams->[0]) or die "stdin: $!";
  open(STDOUT, '>&', $streams->[1]) or die "stdout: $!";
  open(STDERR, '>&', $streams->[2]) or die "stderr: $!";
  chdir $home or die "chdir: $!";
  %ENV = map { split(/=/, $_, 2) } @environment;
  exec { '/usr/bin/setsid' } @command or die "exec: $!";
}

sub lost_connection {
  write_all(\*STDERR, $lost);
  leave(255);
}

sub mark { my ($bits, $stream) = @_; vec($$bits, fileno($stream), 1) = 1 }
sub is_marked { my ($bits, $stream) = @_; return defined fileno($stream) && vec($bits, fileno($stream), 1) }

sub local_size {
  my $size = pack('S4', 0, 0, 0, 0);
  ioctl(STDOUT, 0x5413, $size) or die "local size: $!";
  return $size;
}

sub resize { my ($terminal, $size) = @_; ioctl($terminal, 0x5414, $size) or die "resize: $!" }

# Writes as much as a ready stream accepts without blocking. Returns false if its reader is gone.
sub give {
  my ($stream, $buffer) = @_;
  my $written = syswrite($stream, $$buffer, 4096);
  # EINTR, EAGAIN
  return $! == 4 || $! == 11 unless defined $written;
  substr($$buffer, 0, $written, '');
  return 1;
}

sub write_all {
  my ($stream, $text) = @_;
  while ($text ne '') {
    my $written = syswrite($stream, $text);
    exit 255 unless defined $written;
    substr($text, 0, $written, '');
  }
}

sub read_exactly {
  my ($size) = @_;
  my $text = '';
  while (length $text < $size) {
    exit 255 unless sysread($control, $text, $size - length $text, length $text);
  }
  return $text;
}
