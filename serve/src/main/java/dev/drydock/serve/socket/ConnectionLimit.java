package dev.drydock.serve.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections beyond a number at once: each takes memory, also one that sends nothing. In
 * the pipeline of the channel that accepts them, before they are set up.
 */
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);

  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private boolean told;

  ConnectionLimit(int most) {
    this.most = most;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (!(accepted instanceof Channel connection)) {
      context.fireChannelRead(accepted);
    } else if (open.get() >= most) {
      if (!told) {
        LOG.warn(
            "{} connections to {} are open: further ones are closed at once",
            most,
            context.channel().localAddress());
      }
      told = true;
      connection.unsafe().closeForcibly();
    } else {
      told = false;
      open.incrementAndGet();
      connection.closeFuture().addListener(_ -> open.decrementAndGet());
      context.fireChannelRead(connection);
    }
  }
}
