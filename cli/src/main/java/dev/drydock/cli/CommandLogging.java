package dev.drydock.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.pattern.ExtendedThrowableProxyConverter;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;

/**
 * Configures logging for commands. By default nothing is logged, because commands print their own
 * messages; with {@code DRYDOCK_DEBUG} set, everything goes to standard error. A background process
 * sets its level with {@link #LEVEL_PROPERTY}. Logback finds this class as a service. It is code
 * instead of an XML file because parsing XML would delay every command.
 */
public final class CommandLogging extends ContextAwareBase implements Configurator {
  /** System property: the lowest level that is logged to standard error. */
  public static final String LEVEL_PROPERTY = "drydock.log.level";

  /**
   * For long-running commands: logs to standard error.
   *
   * @param verbosity as components of Kubernetes count it: from 4 on details, from 6 on everything
   */
  public static void enable(int verbosity) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
      if (root.getLevel() == Level.OFF) {
        root.setLevel(Level.WARN);
        root.addAppender(standardError(context));
      }
      context
          .getLogger("dev.drydock")
          .setLevel(verbosity >= 6 ? Level.TRACE : verbosity >= 4 ? Level.DEBUG : Level.INFO);
      // it logs a warning for every kind in an alpha version
      context.getLogger("io.fabric8").setLevel(Level.ERROR);
      // it logs a warning about TCP options that unix sockets do not support
      context.getLogger("io.netty").setLevel(Level.ERROR);
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    boolean debug = System.getenv(CommandRunner.DEBUG_VARIABLE) != null;
    root.setLevel(
        debug ? Level.DEBUG : Level.toLevel(System.getProperty(LEVEL_PROPERTY), Level.OFF));
    if (root.getLevel() != Level.OFF) {
      root.addAppender(standardError(context));
    }
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static ConsoleAppender<ILoggingEvent> standardError(LoggerContext context) {
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(lines(context));
    appender.start();
    return appender;
  }

  /** The format of log lines; what comes from elsewhere is {@link SafeText}. */
  static Encoder<ILoggingEvent> lines(LoggerContext context) {
    PatternLayout layout = new PatternLayout();
    layout.getInstanceConverterMap().put("safeMessage", SafeMessage::new);
    layout.getInstanceConverterMap().put("safeStack", SafeStack::new);
    layout.setContext(context);
    layout.setPattern("%d{HH:mm:ss.SSS} [%thread] %-5level %logger - %safeMessage%n%safeStack");
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> lines = new LayoutWrappingEncoder<>();
    lines.setContext(context);
    lines.setLayout(layout);
    lines.start();
    return lines;
  }

  /** A message with words of cluster objects, which must stay one line. */
  private static final class SafeMessage extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
      return SafeText.line(String.valueOf(super.convert(event)));
    }
  }

  /** The stack trace of an exception, whose message may have such words. */
  private static final class SafeStack extends ExtendedThrowableProxyConverter {
    @Override
    public String convert(ILoggingEvent event) {
      return SafeText.lines(super.convert(event));
    }
  }
}
